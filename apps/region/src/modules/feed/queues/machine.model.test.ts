import { propertyRuns } from '@sealpost/testkit/property-runs'
import { describe, expect, test } from 'vitest'
import type { WebhookQueue } from './model.ts'
import { type Command, step } from './rules/machine.ts'
import type { Moment } from './rules/parking.ts'
import { runHistory } from './testing/model-history.ts'
import type { Machine } from './testing/model-world.ts'

/** `PROPERTY_RUNS=200000 npx vitest run --project unit queues/machine.model` is the full size. */
test(
  'in every history events are sent in order, one at a time, never lost, and never repeated or probed without a reason',
  { timeout: 3_600_000 },
  () => {
    let complaint: string | null = null
    for (let seed = 1; complaint === null && seed <= propertyRuns(); seed += 1) {
      const found = runHistory(seed)
      if (found !== null) complaint = `history ${seed}: ${found}`
    }
    expect(complaint).toBeNull()
  },
)

/** Within this many histories every wrong machine must be caught. */
const ENOUGH = 20_000

describe('the model test catches a machine that', () => {
  test.each<readonly [string, Machine]>([
    ['accepts reports of an earlier holder', altersReport((command, { token }) => ({ ...command, token }))],
    ['skips events that were replayed during a POST', altersReport((command, { epoch }) => ({ ...command, epoch }))],
    ['skips one event more than was scanned', altersReport(scanFarther)],
    [
      'releases a queue without a check for new events',
      (queue, command, at) => step(queue, command, withoutNewEvents(command, at)),
    ],
    ['probes without a delay', (queue, command, at) => step(queue, command, { ...at, probeDelayMs: 0 })],
    ['lets two workers hold a queue', alters('claim', (command) => ({ ...command, isLapsed: true }))],
    ['forgets the events of a manual drain', alters('return', (command) => ({ ...command, gone: [] }))],
    ['purges one event too many', alters('purge', (command) => ({ ...command, to: command.to + 1 }))],
    ['does not raise the epoch for a manual drain', ends('lend', (_next, before) => before)],
    ['does not wake', ends('wake', (_next, before) => before)],
    ['wakes while it is bad', ends('wake', (next, _before, { now }) => ({ ...next, dueAt: now }))],
    ['replays no event that is gone', ends('replay', (next, { cursor, gone }) => ({ ...next, cursor, gone }))],
    ['collapses replayed events', ends('replay', (next, { replayTo }) => ({ ...next, replayTo }))],
    ['sends failed events as live ones', ends('report', (next, { parkedTo }) => ({ ...next, parkedTo }))],
    ['is never due again after a release', ends('report', (next) => ({ ...next, dueAt: null }))],
    ['gives every holder the same token', ends('claim', (next, { token }) => ({ ...next, token }))],
    [
      'loses failed events',
      ends('report', (next) => (next.state === 'bad' ? { ...next, cursor: next.cursor + 1 } : next)),
    ],
  ])('%s', (_what, machine) => {
    let complaint: string | null = null
    for (let seed = 1; seed <= ENOUGH && complaint === null; seed += 1) complaint = runHistory(seed, machine)
    expect(complaint).not.toBeNull()
  })
})

type CommandOf<Name extends Command['command']> = Extract<Command, { readonly command: Name }>

function isNamed<Name extends Command['command']>(command: Command, name: Name): command is CommandOf<Name> {
  return command.command === name
}

function alters<Name extends Command['command']>(name: Name, alter: (command: CommandOf<Name>) => Command): Machine {
  return (queue, command, at) => step(queue, isNamed(command, name) ? alter(command) : command, at)
}

function altersReport(alter: (command: CommandOf<'report'>, queue: WebhookQueue) => Command): Machine {
  return (queue, command, at) => step(queue, isNamed(command, 'report') ? alter(command, queue) : command, at)
}

function ends(
  name: Command['command'],
  alter: (next: WebhookQueue, before: WebhookQueue, at: Moment) => WebhookQueue,
): Machine {
  return (queue, command, at) => {
    const next = step(queue, command, at)
    return command.command === name && next.isMine ? { ...next, queue: alter(next.queue, queue, at) } : next
  }
}

function scanFarther(command: CommandOf<'report'>): Command {
  return command.end === null ? command : { ...command, end: { ...command.end, scannedTo: command.end.scannedTo + 1 } }
}

function withoutNewEvents(command: Command, at: Moment): Moment {
  return command.command === 'report' ? { ...at, lastNo: 0 } : at
}
