import type { ErrorTexts } from '@sealpost/ui'
import { shell as ofEveryApp } from '@sealpost/web-app/words/en'

const SHOULD_NOT = 'Close the app and open it again. If this stays, tell us: it should never happen.'
const UNSAFE_PASSWORD = 'The server wants your password to be used in an unsafe way, so nothing was sent.'
const NOT_YOUR_KEY = 'The server answered with something else than your key, so nothing was opened.'

export const shell = {
  ...ofEveryApp,
  main: 'Main',
  notFound: { title: 'There is nothing here', lead: 'The address may be old or mistyped.', home: 'Go to the start' },
  proof: {
    passcode: 'Your passcode',
    notSetUp: 'This device cannot confirm yet that it is you.',
    notSetUpNext: 'Set up a fingerprint, your face or a passcode; then come back here.',
    setUp: 'Set it up',
  },
  dock: { home: 'Home', inbox: 'Inbox', data: 'My data', sees: 'Who sees', settings: 'Settings' },
  /** The marks at the links of the frame. */
  waiting: (things: number) => (things === 1 ? '1 waits' : `${things} wait`),
  waitingUnknown: 'could not be counted',
}

/** By the key of a refusal of the app itself. */
export const refusals: ErrorTexts = {
  cannot_open: {
    what: 'This cannot be opened: it was damaged on its way, or sealed to another key than yours.',
    next: 'Nothing of it is shown. Ask the company to send it once more.',
  },
  asked_otherwise: {
    what: 'The company asks for something else now than you were shown, so nothing was sent.',
    next: 'Look at it again before you decide.',
  },
  connection_ended: {
    what: 'The server shows a connection that you have ended, so nothing was sent.',
    next: SHOULD_NOT,
  },
  connection_forged: {
    what: 'The server shows a connection that none of your devices made, so nothing was sent.',
    next: SHOULD_NOT,
  },
  connection_outdated: {
    what: 'The server shows an older state of a connection than this device knows, so nothing was sent.',
    next: SHOULD_NOT,
  },
  connection_unknown: {
    what: 'The server shows a connection that none of your devices made, so nothing was sent.',
    next: SHOULD_NOT,
  },
  consent_changed: {
    what: 'The request is another one than you were shown, so nothing was sent.',
    next: 'Look at it again before you decide.',
  },
  device_not_listed: {
    what: 'The server’s list leaves out this device, although it is set up.',
    next: 'Lock the app and sign in with your password. If this stays, tell us.',
  },
  device_not_set_up: {
    what: 'This device cannot confirm yet that it is you.',
    next: 'Set up a fingerprint, your face or a passcode first.',
  },
  document_changed: {
    what: 'This is not what the company has sent: it was changed or damaged on its way.',
    next: 'Nothing of it is shown. Try again; if this stays, ask the company to send it once more.',
  },
  kdf_invalid: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  key_changed: {
    what: 'The key of this company is another one than this device knows, so nothing was sent.',
    next: 'Ask the company whether it has a new key. Until you know, give it nothing.',
  },
  leads_elsewhere: {
    what: 'The way back leads to another place than the one that was asked for.',
    next: 'Close this page, and start again where you came from.',
  },
  invitation_gone: { what: 'This invitation is no longer open.', next: 'Ask the company for a new one.' },
  mapping_unknown: {
    what: 'The server says that a company follows this value, and you never gave it, so nothing was sent.',
    next: SHOULD_NOT,
  },
  no_passkey: { what: 'This site offers no passkeys.', next: 'Use a passcode instead.' },
  no_registration: { what: 'This registration has been interrupted.', next: 'Begin again; nothing was stored.' },
  no_unlock: { what: 'This device has not been set up to unlock.', next: 'Sign in with your password.' },
  not_a_recovery_code: {
    what: 'This is not a whole recovery code.',
    next: 'It has 14 groups of 4 letters. Compare it letter by letter with the one that you kept.',
  },
  plaintext_not_agreed: {
    what: 'This app would get your data as plain text, and you have not agreed to that, so nothing was sent.',
    next: 'Open the request again, and agree to plain text or refuse.',
  },
  paper_replaced: {
    what: 'The company has replaced this paper since you opened it, so nothing was signed.',
    next: 'Read the new one, then decide again.',
  },
  not_a_key_wrap: { what: NOT_YOUR_KEY, next: SHOULD_NOT },
  notices_refused: {
    what: 'This device does not let Sealpost show notices.',
    next: 'Allow notices for this site in the settings of the browser, then try again.',
  },
  no_push_service: {
    what: 'This browser could not be reached for notices.',
    next: 'Try again when it is online. Some browsers have no such service.',
  },
  passcode_forgotten: {
    what: 'That were five wrong passcodes, so this device has forgotten your key.',
    next: 'Sign in with your password. Nothing is lost.',
  },
  passcode_short: { what: 'The passcode is too short.', next: 'Take at least six digits or letters.' },
  passcode_wrong: {
    what: 'That is not your passcode.',
    next: 'Try again. After five wrong ones your password is needed.',
  },
  passkey_refused: { what: 'The device did not confirm.', next: 'Try again, or use a passcode.' },
  passkey_cannot_unlock: {
    what: 'This device can confirm that it is you, but it cannot keep your key.',
    next: 'Use a passcode instead.',
  },
  password_needed: { what: 'Your password is needed once more.', next: 'Type it, then try again.' },
  session_ended: { what: 'This device was signed out.', next: 'Sign in with your password.' },
  storage_refused: {
    what: 'This browser does not let Sealpost keep anything.',
    next: 'Leave the private window, or allow storage for this site.',
  },
  strange_challenge: {
    what: 'The server asks this device to sign something that it should not, so nothing was signed.',
    next: SHOULD_NOT,
  },
  too_costly: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  too_weak: { what: UNSAFE_PASSWORD, next: SHOULD_NOT },
  wrong_purpose: { what: NOT_YOUR_KEY, next: SHOULD_NOT },
  wrong_key: { what: 'That did not open your data.', next: 'Try again, or sign in with your password.' },
}
