import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A mail as a server got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and parts, as they were sent. */
  readonly data: string;
  readonly login?: string;
}

/** What the server says to a command instead of what RFC 5321 has it say; 'nothing' keeps silent. */
export type MailReply = (command: string) => string | undefined;

/** A mail server on loopback: as much of SMTP as a submission takes. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(reply: MailReply) {
    this.#server = createServer((socket) => {
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
      socket.on('error', () => undefined);
      new MailSession(socket, reply, (mail) => void this.received.push(mail)).greet();
    });
  }

  static async start(reply: MailReply = () => undefined): Promise<MailServer> {
    const mail = new MailServer(reply);
    await new Promise<void>((resolve) => mail.#server.listen(0, '127.0.0.1', resolve));
    return mail;
  }

  /** How many are open. */
  get connections(): number {
    return this.#open.size;
  }

  get smarthost(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

class MailSession {
  readonly #socket: Socket;
  readonly #reply: MailReply;
  readonly #take: (mail: ReceivedMail) => void;
  #text = '';
  #from = '';
  #to: string[] = [];
  #login: string | undefined;
  #isData = false;

  constructor(socket: Socket, reply: MailReply, take: (mail: ReceivedMail) => void) {
    this.#socket = socket;
    this.#reply = reply;
    this.#take = take;
    socket.setEncoding('utf8');
    socket.on('data', (chunk: Buffer | string) => this.#read(String(chunk)));
  }

  greet(): void {
    this.#say('CONNECT', '220 mail.example.com ESMTP');
  }

  #read(chunk: string): void {
    this.#text += chunk;
    for (;;) {
      const end = this.#isData ? '\r\n.\r\n' : '\r\n';
      const at = this.#text.indexOf(end);
      if (at < 0) return;
      const part = this.#text.slice(0, at);
      this.#text = this.#text.slice(at + end.length);
      if (this.#isData) this.#ended(part);
      else this.#obey(part);
    }
  }

  #ended(data: string): void {
    this.#isData = false;
    const login = this.#login;
    this.#take({ from: this.#from, to: this.#to, data, ...(login !== undefined && { login }) });
    this.#say('DOT', '250 queued');
  }

  #obey(line: string): void {
    const command = line.slice(0, 4).toUpperCase();
    if (command === 'MAIL') this.#from = addressIn(line);
    if (command === 'RCPT') this.#to = [...this.#to, addressIn(line)];
    if (command === 'AUTH') this.#login = Buffer.from(line.split(' ').at(-1) ?? '', 'base64').toString();
    this.#isData = command === 'DATA';
    this.#say(command, REPLIES[command] ?? '250 fine');
    if (command === 'QUIT') this.#socket.end();
  }

  #say(command: string, usual: string): void {
    const said = this.#reply(command) ?? usual;
    if (!said.startsWith('3')) this.#isData = false;
    if (said !== 'nothing') this.#socket.write(`${said}\r\n`);
  }
}

const addressIn = (line: string): string => /<(.*)>/.exec(line)?.[1] ?? '';

const REPLIES: Readonly<Record<string, string>> = {
  EHLO: '250-mail.example.com\r\n250 AUTH PLAIN LOGIN',
  AUTH: '235 welcome',
  DATA: '354 go on',
  QUIT: '221 bye',
};
