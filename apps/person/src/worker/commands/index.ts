import { sessionCommands } from '@sealpost/session/worker'
import * as approvals from './approvals.ts'
import * as connections from './connections.ts'
import * as consent from './consent.ts'
import * as data from './data.ts'
import { exportData } from './export.ts'
import * as flows from './flows.ts'
import * as messages from './messages.ts'
import * as papers from './papers.ts'
import * as push from './push.ts'
import * as turns from './turns.ts'
import * as verifications from './verifications.ts'

/** Everything that a page can ask of the worker. */
export const commands = {
  ...sessionCommands,
  ...data,
  ...connections,
  ...consent,
  ...approvals,
  ...papers,
  ...messages,
  ...push,
  ...flows,
  ...turns,
  ...verifications,
  exportData,
}
