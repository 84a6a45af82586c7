import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { databaseIn, PostgresServer } from '../harness/postgres.js';
import { begun } from '../nodes/begun.js';
import { type Flow, type Service, startFlow, startService } from '../nodes/flow.js';

/** A person changes the database of a journal under an open payment. */
describe('a payment that the database loses while it is open', () => {
  let server: PostgresServer;
  let service: Service;
  let flow: Flow;
  let address: string;

  before(async () => {
    server = await PostgresServer.start();
  });
  after(() => server.end());
  beforeEach(async () => {
    address = await server.newDatabase();
    service = await startService({ cardholder: 'none' });
    flow = await startFlow({ service, database: address });
  });
  afterEach(async () => {
    await flow.stop();
    await service.stop();
  });

  const change = (...statements: string[]): Promise<unknown> =>
    server.query(databaseIn(address), (sql) => sql.unsafe(statements.join(';')));
  const presentCard = (): boolean => service.simulator.terminal('10000001').presentCard();

  test('is named by the deploy that follows, where its tables are gone', async () => {
    const operationId = await begun(service, flow);
    await change('DROP SCHEMA cloud_terminal CASCADE');
    await flow.redeploy();
    assert.match(flow.allErrors().join('\n'), new RegExp(`look at these payments.*: ${operationId}`));
  });

  test('is written again by the deploy that follows, where its table was emptied, and is told', async () => {
    await begun(service, flow);
    await change('TRUNCATE cloud_terminal.operation CASCADE');
    await flow.redeploy();
    presentCard();
    const { output, msg } = await flow.answer();
    assert.deepEqual([output, msg.payload.outcome], ['done', 'approved']);
    assert.equal(service.bank.charges().length, 1);
  });

  test('is named where another Node-RED has taken over what a person put in the place of the database', async () => {
    const operationId = await begun(service, flow);
    await change(
      'DELETE FROM cloud_terminal.operation',
      `UPDATE cloud_terminal.leader SET owner = 'another', fence = 1, until = 'infinity'`,
    );
    presentCard();
    await flow.status('environment', 'status.standby');
    const said = `${operationId}: approved 10.00 EUR was not delivered, because the journal could not take it: look at it`;
    assert.ok(flow.allErrors().join('\n').includes(said), flow.allErrors().join('\n'));
  });
});
