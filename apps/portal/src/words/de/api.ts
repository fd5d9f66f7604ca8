import type { Words } from '../en/index.ts'

export const api: Words['api'] = {
  lead: 'Ihre Systeme lesen mit dem Client, was Kunden diesem Dienst geben. Sie bekommen es versiegelt und öffnen es mit dem Schlüssel des Dienstes.',
  none: 'Der Dienst hat noch keinen Client. Kein Programm kann etwas lesen.',
  register: 'Client anmelden',
  registering: 'Der Client wird angemeldet …',
  clientId: 'Client-ID',
  secret: 'Geheimnis des Clients',
  once: 'Sie sehen dieses Geheimnis einmal.',
  onceNext:
    'Bewahren Sie es auf Ihrem Server auf, nie in einer Seite oder App. Eine Kopie, die nur der Inhaber öffnet, bleibt für Ihr Unternehmen versiegelt.',
  stored: 'Ich habe es aufbewahrt',
  snippetTitle: 'Ausprobieren',
  snippetLead: 'Das läuft so in einem Terminal: Es holt ein Token und listet die Verbindungen auf.',
  snippetName: 'Shell',
  replaceTitle: 'Geheimnis ersetzen',
  replaceLead:
    'Das alte Geheimnis und alle Tokens des Clients enden sofort. Systeme, die sie nutzen, bekommen nichts, bis sie das neue haben.',
  replace: 'Neues Geheimnis machen',
  replacing: 'Ein neues Geheimnis entsteht …',
  recoverTitle: 'Ist das Geheimnis verloren?',
  recoverLead:
    'Der Inhaber bekommt es hier zurück, mit dem Passwort des Kontos und einem Code per Mail. Dadurch endet nichts.',
  recovered: {
    shown: 'Das ist das Geheimnis des Clients.',
    shownNext: 'Bewahren Sie es auf, bevor Sie diese Seite verlassen. Die Kopie zur Wiederherstellung bleibt.',
    open: 'Geheimnis zeigen',
  },
  redirect: {
    title: 'Weg zurück',
    label: 'Adresse Ihrer App',
    hint: 'Wohin Browser zurückkommen, nachdem Kunden eine Anmeldung erlaubt haben. Beginnt mit https://. Die meisten Dienste brauchen keine.',
    save: 'Speichern',
    saving: 'Wird gespeichert …',
    saved: 'Gespeichert.',
  },
  ending: {
    title: 'Client beenden',
    open: 'Client beenden …',
    about:
      'Der Client und seine Tokens enden sofort: Systeme, die sie nutzen, lesen nichts mehr. Kunden, Werte und der Schlüssel bleiben. Danach können Sie einen neuen Client anmelden.',
    act: 'Client beenden',
    busy: 'Der Client endet …',
    keep: 'Behalten',
  },
}
