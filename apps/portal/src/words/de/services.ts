import type { Words } from '../en/index.ts'

export const services: Words['services'] = {
  title: 'Dienste',
  lead: 'Jeder hat seinen eigenen Schlüssel, und Kunden verbinden sich mit jedem einzeln.',
  empty: 'Es gibt noch keinen Dienst. Mit einem solchen verbinden sich Kunden.',
  name: 'Dienst',
  code: 'Code für Kunden',
  made: 'Gemacht',
  make: 'Neuer Dienst',
}
