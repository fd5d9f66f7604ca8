import type { ErrorTexts } from '@sealpost/ui'

export const shell = {
  opening: 'Opening …',
  back: 'Back',
  cancel: 'Cancel',
  main: 'Main',
  notFound: { title: 'There is nothing here', lead: 'The address may be old or mistyped.', home: 'Go to the start' },
  proof: {
    passcode: 'Your passcode',
    notSetUp: 'This device cannot confirm yet that it is you.',
    notSetUpNext: 'Set up a fingerprint, your face or a passcode; then come back here.',
    setUp: 'Set it up',
  },
  dock: { home: 'Home', data: 'My data', sees: 'Who sees', settings: 'Settings' },
}

/** By the key of a refusal of the app itself. */
export const refusals: ErrorTexts = {
  device_not_set_up: {
    what: 'This device cannot confirm yet that it is you.',
    next: 'Set up a fingerprint, your face or a passcode first.',
  },
  leads_elsewhere: {
    what: 'The way back leads to another place than the one that was asked for.',
    next: 'Close this page, and start again where you came from.',
  },
  invitation_gone: { what: 'This invitation is no longer open.', next: 'Ask the company for a new one.' },
  no_passkey: { what: 'This site offers no passkeys.', next: 'Use a passcode instead.' },
  no_registration: { what: 'This registration has been interrupted.', next: 'Begin again; nothing was stored.' },
  no_unlock: { what: 'This device has not been set up to unlock.', next: 'Sign in with your password.' },
  not_a_recovery_code: {
    what: 'This is not a whole recovery code.',
    next: 'It has 14 groups of 4 letters. Compare it letter by letter with the one that you kept.',
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
  wrong_key: { what: 'That did not open your data.', next: 'Try again, or sign in with your password.' },
}
