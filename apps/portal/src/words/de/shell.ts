import { refusals as ofTheSession, shell as ofSignIn } from '@sealpost/session/words/de'
import type { ErrorTexts } from '@sealpost/ui'
import { refusals as ofEveryApp, shell as ofShell, SHOULD_NOT } from '@sealpost/web-app/words/de'
import type { Words } from '../en/index.ts'
import { refusals as ofKeys } from './key-refusals.ts'

export const shell: Words['shell'] = {
  ...ofShell,
  ...ofSignIn,
  main: 'Hauptmenü',
  notFound: { title: 'Hier ist nichts', lead: 'Die Adresse ist vielleicht alt oder vertippt.', home: 'Zum Anfang' },
  places: {
    home: 'Übersicht',
    services: 'Dienste',
    delegates: 'Beauftragte',
    audit: 'Protokoll',
    settings: 'Einstellungen',
  },
  facts: (role, region) => `${role}, Region ${region}`,
  levels: { free: 'Free', basic: 'Basic', pro: 'Pro', enterprise: 'Enterprise' },
  roles: { owner: 'Inhaber', admin: 'Verwaltung', operator: 'Betrieb' },
  account: 'Konto',
  goTo: 'Gehen zu',
  act: 'Tun',
  lock: 'Sperren',
  switching: 'Das Unternehmen wird geöffnet …',
  noCompany: 'Dieses Unternehmen lässt sich nicht öffnen',
  toOwn: 'Zum eigenen Konto',
}

export const refusals: ErrorTexts = {
  ...ofEveryApp,
  ...ofTheSession,
  ...ofKeys,
  'auth.client_endpoint_forbidden': {
    what: 'Das gehört nicht zu Ihrer Rolle in diesem Unternehmen.',
    next: 'Bitten Sie den Inhaber des Kontos darum.',
  },
  delegate_key_changed: {
    what: 'Der Server zeigt für diesen Beauftragten einen anderen Schlüssel als zuvor. Deshalb wurde nichts übergeben.',
    next: SHOULD_NOT,
  },
  delegate_without_key: {
    what: 'Dieses Konto hat noch keinen Schlüssel, für den sich eine Passphrase versiegeln ließe.',
    next: 'Bitten Sie Ihren Kollegen, sich einmal anzumelden, und versuchen Sie es noch einmal.',
  },
  'delegates.exists': {
    what: 'Dieses Konto arbeitet hier schon oder ist das Unternehmen selbst.',
    next: 'Ändern Sie Rolle und Dienste in der Liste der Beauftragten.',
  },
  'delegates.not_found': {
    what: 'Diesen Beauftragten gibt es nicht mehr.',
    next: 'Sehen Sie in der Liste nach: Vielleicht wurde er inzwischen entfernt.',
  },
  'delegates.user_not_found': {
    what: 'Diesen Code hat niemand.',
    next: 'Fragen Sie Ihren Kollegen noch einmal: Er hat sechs Buchstaben und Ziffern.',
  },
  no_delegate: {
    what: 'Sie sind kein Beauftragter dieses Unternehmens mehr.',
    next: 'Gehen Sie zum eigenen Konto oder fragen Sie den Inhaber des Unternehmens.',
  },
  other_company: {
    what: 'Der Server hat für ein anderes Unternehmen geantwortet als das gewählte. Deshalb wird nichts gezeigt.',
    next: SHOULD_NOT,
  },
  key_of_another_service: {
    what: 'Das ist der Schlüssel eines anderen Dienstes. Deshalb wurde nichts geöffnet.',
    next: 'Nehmen Sie Schlüsseldatei und Passphrase dieses Dienstes. Wenn beide sicher stimmen, sagen Sie uns Bescheid.',
  },
  key_not_handed: {
    what: 'Die Passphrase dieses Dienstes wurde Ihnen nicht übergeben oder zurückgenommen.',
    next: 'Bitten Sie den Inhaber des Unternehmens darum.',
  },
  no_service_key: {
    what: 'Der Schlüssel dieses Dienstes ist hier nicht offen.',
    next: 'Öffnen Sie ihn mit der Passphrase des Dienstes.',
  },
  other_run: {
    what: 'Der Server hat einen anderen Ablauf geschickt als diesen. Deshalb wird nichts davon gezeigt.',
    next: SHOULD_NOT,
  },
  run_parties: {
    what: 'Der Server nennt andere Beteiligte dieses Ablaufs als zuvor. Deshalb wird nichts davon gezeigt.',
    next: SHOULD_NOT,
  },
  service_key_changed: {
    what: 'Der Server zeigt für diesen Dienst einen anderen Schlüssel als zuvor. Schlüssel von Diensten ändern sich nie, deshalb wurde nichts geöffnet.',
    next: SHOULD_NOT,
  },
}
