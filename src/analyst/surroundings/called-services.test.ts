import { expect, test } from 'vitest';
import { calledServices } from './called-services.ts';

const spec = (value: string, command: readonly string[] = []) => ({
  containers: [{ name: 'app', env: [{ name: 'URL', value }], command }],
});

test.each<[string, readonly string[]]>([
  ['http://payments:8080/v1', ['payments']],
  ['postgres://shop:x@orders-db:5432/orders', ['orders-db']],
  ['broker:9092,other:9092', ['broker', 'other']],
  ['http://localhost:8080', []],
  ['https://api.example.com/v1', []],
  ['12:30', []],
  ['debug', []],
])('%s names %j', (value, want) => expect(calledServices(spec(value))).toEqual(want));

test('commands and the variables of Services count too', () =>
  expect(calledServices(spec('', ['sh', '-c', 'nc -z $ORDER_DB_SERVICE_HOST 5432 && wget http://$CART_SERVICE_HOST:80/']))).toEqual([
    'order-db',
    'cart',
  ]));
