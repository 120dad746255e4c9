/** The program that builds the console. A process of its own, whose memory ends with it. */
import { buildConsole } from './build.ts';

await buildConsole();
