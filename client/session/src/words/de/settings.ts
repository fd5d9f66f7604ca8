import type { SessionWords } from '../en/index.ts'

export const settings: SessionWords['settings'] = {
  title: 'Einstellungen',
  devicesPage: {
    title: 'Geräte',
    lead: 'Diese können Ihre Daten öffnen oder bestätigen, dass Sie es sind. Entfernen Sie, was Sie verloren haben: Es wird sofort abgemeldet und kann nichts mehr.',
    empty: 'Noch ist kein Gerät eingerichtet. Sie melden sich mit Ihrem Passwort an.',
    this: 'Dieses Gerät',
    kinds: { passkey: 'Passkey', device_key: 'Zugangscode', browser: 'Braucht keinen Einmalcode' },
    seen: (when) => `benutzt ${when}`,
    sessions: 'Angemeldet',
    apps: { person_app: 'Diese App', portal_web: 'Portal' },
    unknownDevice: 'Ein Gerät ohne Namen',
    network: (address) => `Netz ${address}`,
    thisSession: 'Jetzt, hier',
    endSession: 'Abmelden',
    endSessionName: (name) => `${name} abmelden`,
    endNow: 'Dort abmelden',
    endFollows:
      'Es wird sofort abgemeldet. Wer das Passwort kennt, kann sich wieder anmelden: Waren Sie es nicht, ändern Sie es.',
    rename: 'Umbenennen',
    renameName: (name) => `${name} umbenennen`,
    renaming: 'Wird gespeichert …',
    name: 'Name des Geräts',
    saveName: 'Namen speichern',
    removeNow: 'Endgültig entfernen',
    removeFollows: 'Es wird sofort abgemeldet und kann nichts mehr öffnen oder bestätigen.',
    removeThisFollows:
      'Das ist das Gerät in Ihrer Hand: Es vergisst Ihr Konto samt allem, was noch nicht gesendet ist. Sie melden sich mit Adresse und Passwort wieder an.',
    remove: 'Entfernen',
    removeName: (name) => `${name} entfernen`,
    removing: 'Wird entfernt …',
    add: 'Dieses Gerät einrichten',
  },
  passwordPage: {
    title: 'Passwort ändern',
    lead: 'Andere Geräte werden abgemeldet. Ihre Daten bleiben; der alte Notfallcode endet.',
    current: 'Jetziges Passwort',
    next: 'Neues Passwort',
    change: 'Ändern',
    busy: 'Ihr Schlüssel wird neu versiegelt …',
  },
}
