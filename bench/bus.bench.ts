/**
 * Cost of servo bus packets: encoding and decoding of the packets of the cycle (goals for six
 * servos, a status of 16 bytes). Prints packets per second of processor time, which is independent
 * of the load of the machine. Goal: 1e6.
 */

import { INSTRUCTION } from '../bridge/dynamixel/instructions.ts';
import { encodePacket } from '../bridge/dynamixel/packet-encoding.ts';
import { PacketReader } from '../bridge/dynamixel/packet-reader.ts';
import { PACKET_MAX } from '../bridge/servo/bus/packet.ts';

const COUNT = 500_000;
const ROUNDS = 5;

function measure(name: string, params: Uint8Array): void {
  const out = new Uint8Array(2 * PACKET_MAX);
  const packet = { id: 1, instruction: INSTRUCTION.status, params };
  const reader = new PacketReader(() => {});
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < COUNT; i++) {
      params[1] = i & 0xff;
      const size = encodePacket(packet, out);
      reader.push(out.subarray(0, size));
    }
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  const rate = (COUNT / best / 1000).toFixed(2);
  if (reader.counts.packets !== COUNT * ROUNDS) throw new Error('the reader lost a packet');
  console.log(`${name}: ${rate} million packets a second, encoded and decoded`);
}

measure('status of 4 bytes', new Uint8Array(5));
measure('status of 16 bytes', new Uint8Array(17).fill(0x11));
measure('goals for six servos', new Uint8Array(34).fill(0x22));
