import * as approvals from './approvals.ts'
import * as connections from './connections.ts'
import * as consent from './consent.ts'
import * as data from './data.ts'
import * as devices from './devices.ts'
import { exportData } from './export.ts'
import * as flows from './flows.ts'
import * as messages from './messages.ts'
import * as papers from './papers.ts'
import { changePassword, provePassword } from './password.ts'
import { readConfirmation, requestChallenge } from './proof.ts'
import * as push from './push.ts'
import { confirmRegistration, listRegions, register } from './registration.ts'
import * as session from './session.ts'
import * as turns from './turns.ts'
import * as verifications from './verifications.ts'

/** Everything that a page can ask of the worker. */
export const commands = {
  sessionState: session.sessionState,
  logIn: session.logIn,
  recoverAccess: session.recoverAccess,
  unlockByPasskey: session.unlockByPasskey,
  unlockByPasscode: session.unlockByPasscode,
  lock: session.lock,
  logOut: session.logOut,
  listRegions,
  register,
  confirmRegistration,
  changePassword,
  provePassword,
  ...devices,
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
  readConfirmation,
  requestChallenge,
}
