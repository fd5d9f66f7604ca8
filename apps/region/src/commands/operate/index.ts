import type { Region } from '../../region.ts'
import { BUS_CREDENTIALS } from '../bus-credentials/usage.ts'
import { type OperatorCommand, UsageError } from './command.ts'
import { backfillWhitelist, createManaged, setLevel } from './companies.ts'
import { discardKeptEvents, retryEvents } from './events.ts'
import { discardJobs, retryJobs } from './jobs.ts'
import { rewrapKeys } from './keys.ts'
import { suspendMessages } from './messages.ts'
import { reconcileObjects } from './objects.ts'
import { outOfOrder, pauseWrites } from './platform.ts'
import { makePushKey } from './push.ts'
import { addFieldTypes, listFieldTypes } from './types.ts'

/** The commands of an operator; `node apps/region/src/commands/operate/main.ts` runs one of them. */
const COMMANDS: ReadonlyMap<string, OperatorCommand> = new Map([
  ['platform:pause-writes', pauseWrites],
  ['platform:out-of-order', outOfOrder],
  ['whitelist:backfill', backfillWhitelist],
  ['account:set-level', setLevel],
  ['clients:create-managed', createManaged],
  ['messages:suspend', suspendMessages],
  ['keys:rewrap', rewrapKeys],
  ['push:make-key', makePushKey],
  ['jobs:retry', retryJobs],
  ['jobs:discard', discardJobs],
  ['events:retry', retryEvents],
  ['events:discard', discardKeptEvents],
  ['objects:reconcile', reconcileObjects],
  ['types:add', addFieldTypes],
  ['types:list', listFieldTypes],
])

export async function operate(
  region: Region,
  [name = '', ...args]: readonly string[],
  report: (line: string) => void = () => {},
): Promise<string> {
  const command = COMMANDS.get(name)
  if (command === undefined) {
    const problem = name === '' ? 'name a command' : `there is no command ${JSON.stringify(name)}`
    throw new Error(`${problem}; these exist:\n${overview()}`)
  }
  try {
    return await command.run(region, args, report)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new Error(`${error.message}: ${name} ${command.takes}`, { cause: error })
  }
}

function overview(): string {
  const all = [...[...COMMANDS].map(([name, command]) => ({ name, ...command })), BUS_CREDENTIALS]
  return all.map(({ name, takes, about }) => `  ${name} ${takes}\n      ${about}`).join('\n')
}
