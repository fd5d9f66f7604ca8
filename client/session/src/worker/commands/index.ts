import {
  addPasscode,
  addPasskey,
  confirmDeletion,
  endSession,
  listDevices,
  listSessions,
  passkeyOptions,
  removeDevice,
  renameDevice,
  requestDeletion,
} from './devices.ts'
import { changePassword, provePassword } from './password.ts'
import { readConfirmation, requestChallenge } from './proof.ts'
import { confirmRegistration, listRegions, register } from './registration.ts'
import { lock, logIn, logOut, recoverAccess, sessionState, unlockByPasscode, unlockByPasskey } from './session.ts'

/** What pages of every app can ask of the session. */
export const sessionCommands = {
  sessionState,
  logIn,
  recoverAccess,
  unlockByPasskey,
  unlockByPasscode,
  lock,
  logOut,
  listRegions,
  register,
  confirmRegistration,
  changePassword,
  provePassword,
  listDevices,
  listSessions,
  endSession,
  renameDevice,
  removeDevice,
  passkeyOptions,
  addPasskey,
  addPasscode,
  requestDeletion,
  confirmDeletion,
  readConfirmation,
  requestChallenge,
}

export type SessionCommands = typeof sessionCommands
