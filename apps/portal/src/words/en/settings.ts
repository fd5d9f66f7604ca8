import { settings as ofTheSession } from '@sealpost/session/words/en'

export const settings = {
  ...ofTheSession,
  account: 'Account',
  devices: 'Devices',
  devicesAbout: 'Where this account is signed in',
  unlock: 'How this device opens',
  unlockKinds: { passkey: 'With a passkey', passcode: 'With a passcode', none: 'With the password' },
  password: 'Password',
  passwordAbout: 'Change it; the keys stay the same',
  app: 'Portal',
  signOutAbout: 'The portal locks by itself when it was left alone for 15 minutes.',
}
