import { MemoryFleet } from '../../harness/memory-fleet.js';
import { VirtualClock } from '../../harness/virtual-clock.js';
import { doorsContract } from './contract/doors.js';

doorsContract('memory', async () => {
  const fleet = new MemoryFleet(new VirtualClock());
  const leader = fleet.join('leader').lead();
  const door = fleet.join('door');
  return {
    leader: leader.journal,
    door: door.journal,
    endDoor: async () => fleet.end('door'),
    renewDoor: () => fleet.clock.advance(10_000),
    close: async () => {
      for (const member of [leader, door]) member.kill();
    },
  };
});
