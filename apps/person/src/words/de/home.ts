import type { Words } from '../en/index.ts'

export const home: Words['home'] = {
  title: (name) => `Guten Tag, ${name}`,
  unseen: 'Niemand sieht etwas von Ihnen.',
  seen: (companies) =>
    companies === 1 ? 'Ein Unternehmen sieht etwas von Ihnen.' : `${companies} Unternehmen sehen etwas von Ihnen.`,
  nothingWaits: 'Nichts wartet auf Sie.',
  waits: (things) => (things === 1 ? 'Eine Sache wartet auf Sie.' : `${things} Sachen warten auf Sie.`),
  waiting: 'Wartet auf Sie',
  asksFor: (things) => (things === 1 ? 'Bittet um eine weitere Angabe' : `Bittet um ${things} weitere Angaben`),
  signs: (paper) => `Bittet um Ihre Unterschrift: ${paper}`,
  accepts: (paper) => `Bittet um Ihr Ja: ${paper}`,
  writes: (messages) => (messages === 1 ? 'Hat Ihnen geschrieben' : `Hat Ihnen ${messages} Nachrichten geschrieben`),
  invites: (service) => `Lädt Sie zu ${service} ein`,
  next: 'Was Sie tun können',
  setUnlock: 'Ohne Passwort öffnen',
  setUnlockAbout: 'Mit Fingerabdruck, Gesicht oder Zugangscode',
  fillData: 'Aufschreiben, was Sie oft brauchen',
  fillDataAbout: 'Ihre Adresse, Ihr Telefon, Ihr Geburtsdatum',
  forms: 'Formulare und Verträge',
  formsAbout: 'Die offenen und die abgeschlossenen',
  connect: 'Mit einem Unternehmen verbinden',
  connectAbout: 'Mit dem Code, den es Ihnen gegeben hat',
  code: 'Ihr eigener Code',
  codeAbout: 'Geben Sie ihn einem Unternehmen, das Sie einladen will. Er öffnet nichts.',
}
