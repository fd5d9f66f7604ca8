import { settings as ofTheSession } from '@sealpost/session/words/de'
import type { Words } from '../en/index.ts'

export const settings: Words['settings'] = {
  ...ofTheSession,
  account: 'Konto',
  devices: 'Geräte',
  devicesAbout: 'Wo dieses Konto angemeldet ist',
  unlock: 'Wie sich dieses Gerät öffnet',
  unlockKinds: { passkey: 'Mit einem Passkey', passcode: 'Mit einem Zugangscode', none: 'Mit dem Passwort' },
  password: 'Passwort',
  passwordAbout: 'Ändern; die Schlüssel bleiben dieselben',
  app: 'Portal',
  signOutAbout: 'Das Portal sperrt sich selbst, wenn 15 Minuten nichts getan wurde.',
}
