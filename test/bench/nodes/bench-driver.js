const v8 = require('node:v8');
const { runInNewContext } = require('node:vm');

v8.setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/**
 * Keeps a number of sales in flight: a message out for each, the next one when its result comes in; or starts one every so
 * many ms. Started by a message
 * `{ sales, slots, everyMs }` from the process that started Node-RED, which gets back what it took: wall clock and CPU in ms. `{ heap: true }` gets back the megabytes that are left after a
 * garbage collection.
 */
module.exports = (RED) => {
  RED.nodes.registerType('bench-driver', function BenchDriver(config) {
    RED.nodes.createNode(this, config);
    let run;

    const launch = (slot) => {
      run.started++;
      this.send({
        slot,
        payload: { amount: '10.00' },
        terminal: { serial_number: `bench-${slot}`, terminal_type: 'A920' },
      });
    };

    const pace = (slots, everyMs) => {
      const timer = setInterval(() => {
        launch(run.started % slots);
        if (run.started === run.sales) clearInterval(timer);
      }, everyMs);
    };

    const start = ({ sales, slots, everyMs, heap }) => {
      if (heap) {
        collectGarbage();
        process.send({ heapMb: process.memoryUsage().heapUsed / 1e6 });
        return;
      }
      run = { sales, started: 0, ended: 0, failed: [], at: performance.now(), cpu: process.cpuUsage() };
      run.isPaced = everyMs !== undefined;
      if (run.isPaced) pace(slots, everyMs);
      else for (let slot = 0; slot < slots; slot++) launch(slot);
    };

    const finish = () => {
      const { user, system } = process.cpuUsage(run.cpu);
      process.send({ ms: performance.now() - run.at, cpuMs: (user + system) / 1000, failed: run.failed });
    };

    this.on('input', (msg, _send, done) => {
      run.ended++;
      if (msg.payload?.outcome !== 'approved') run.failed.push(msg.error?.message ?? JSON.stringify(msg.payload));
      if (run.started < run.sales && !run.isPaced) launch(msg.slot);
      if (run.ended === run.sales) finish();
      done();
    });
    this.on('close', () => {
      process.off('message', start);
    });
    process.on('message', start);
  });
};
