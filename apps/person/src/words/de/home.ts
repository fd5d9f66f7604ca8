import type { Words } from '../en/index.ts'

export const home: Words['home'] = {
  title: (name) => `Guten Tag, ${name}`,
  seen: (companies) =>
    companies === 0
      ? 'Niemand sieht etwas von Ihnen.'
      : companies === 1
        ? 'Ein Unternehmen sieht etwas von Ihnen.'
        : `${companies} Unternehmen sehen etwas von Ihnen.`,
  waits: (things) =>
    things === 0
      ? 'Nichts wartet auf Sie.'
      : things === 1
        ? 'Eine Sache wartet auf Sie.'
        : `${things} Sachen warten auf Sie.`,
  waitsAtLeast: (things) =>
    things === 0
      ? 'Ob etwas auf Sie wartet, ist gerade nicht bekannt.'
      : things === 1
        ? 'Eine Sache wartet auf Sie, vielleicht mehr.'
        : `${things} Sachen warten auf Sie, vielleicht mehr.`,
  waiting: 'Wartet auf Sie',
  decide: (things) =>
    things === 1 ? 'Über eine weitere Angabe entscheiden' : `Über ${things} weitere Angaben entscheiden`,
  sign: (paper) => `Unterschreiben: ${paper}`,
  accept: (paper) => `Beantworten: ${paper}`,
  read: (messages) => (messages === 1 ? 'Eine Nachricht lesen' : `${messages} Nachrichten lesen`),
  fill: (form) => (form === null ? 'Ein Formular ausfüllen' : `Ausfüllen: ${form}`),
  make: 'Die Dokumente erstellen lassen',
  answer: (service) => `Einladung zu ${service} beantworten`,
  by: (company, when) => [company, when].filter((part) => part !== null).join(' · '),
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
