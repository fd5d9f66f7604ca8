const andOf = (places: readonly number[]): string => places.join(' and ')

/** Where a service is made. */
export const newService = {
  steps: ['Name', 'Key', 'Ready'],
  stepsLabel: 'Steps',
  done: 'done',
  leave: 'Leave, nothing is made yet',
  about: {
    title: 'What is the new service called?',
    lead: 'Customers see this name before they connect. Take what they would say: “Home visits”, “Tenants”, “Membership”.',
    name: 'Name',
    nameHint: 'At most 120 characters. You can change it later.',
    nameProblem: 'Write the name that customers see.',
    shareCode: 'Code',
    shareCodeHint:
      'Customers find the service under your company’s code and this one. Up to 8 letters and digits; without one it is made from the name.',
    shareCodeProblem: 'Take up to 8 letters from A to Z and digits.',
    adminEmail: 'Who is told when something is wrong?',
    adminEmailHint: 'An e-mail address that is read: a server of yours that does not answer, a full queue.',
    adminEmailProblem: 'Write an e-mail address such as it@company.example.',
    audience: 'Who connects?',
    audiences: { both: 'People and companies', person: 'People', company: 'Companies' },
    next: 'Go on to the key',
    leave: 'Leave',
    followsTitle: 'What comes next',
    follows:
      'This browser makes a key for the service and shows the passphrase that opens it, once. Have a password manager, a printer or a safe place ready. The service is made when you have stored it.',
  },
  key: {
    making: 'A key is made in this browser …',
    title: (name: string) => `This passphrase opens ${name}. You see it once.`,
    lead: 'Every value that customers give this service, and every file that they mark private, opens with this passphrase only. It was made just now in this browser; Sealpost has never seen it.',
    passphrase: 'Passphrase',
    print: 'Print',
    save: 'Download key file (PEM)',
    saving: 'The file is made …',
    saved: 'Saved. Download again',
    uncover: 'Uncover, and ask for two others',
    create: (name: string) => `Create ${name}`,
    busy: 'The service is made …',
    back: 'Change name or code',
    password: 'Password of your account',
    passwordHint: 'It opens the recovery key here, so that the copy is sealed to yours and to no other.',
    paperTitle: (name: string) => `Passphrase of ${name} – Sealpost`,
    paper:
      'Read the groups from left to right, without spaces. It opens everything that customers give this service. Keep it apart from the key file, where only few people come to.',
    lost: {
      title: 'If something is lost',
      file: 'The key file',
      fileLost:
        'Nothing happens. Download it again from the service whenever you like. Without the passphrase the file opens nothing.',
      passphrase: 'The passphrase',
      passphraseLost:
        'The owner gets it back with the account’s password and a code sent by mail, from the recovery copy.',
      passphraseGone: 'Without a recovery copy, nothing brings it back.',
      keep: 'Keep a recovery copy',
      keepAbout: 'Sealed to your company. Sealpost stores it and cannot open it.',
      both: 'The passphrase and the way to the recovery copy',
      passphraseAlone: 'So, with the passphrase alone',
      bothLost:
        'What customers have given stays shut for good. It cannot be opened by Sealpost either. Customers still have their own data; you would make a new service and ask each of them again.',
      foundTitle: 'If a stranger finds it',
      found:
        'With the key file, or a way into this portal, it opens everything given to the service. Keep the two apart: the file with your systems, the passphrase in a password manager or a safe. A copied passphrase stays in the clipboard until you copy something else.',
    },
  },
  proof: {
    title: 'Now show that you have it',
    lead: (places: readonly number[]) =>
      `Groups ${andOf(places)} are covered. Type them from where you stored the passphrase.`,
    group: (place: number) => `Group ${place}`,
    wrong: 'That is not this group. Capital and small letters differ.',
  },
  ready: {
    title: (name: string) => `${name} is there`,
    lead: (code: string) => `Customers find it under ${code}. No customer is asked for anything yet.`,
    next: [
      'Say what you ask customers for. They see it before they connect.',
      'Give customers the link or the QR code of the service. It says which key is right, so no other one can be put in between.',
      'Register the client of the service when a system of yours is to read what customers give.',
    ],
    toFields: 'Say what you ask for',
    toService: 'To the service',
    toKey: 'To its key',
    copyMissing: 'The service is there, but its recovery copy could not be stored.',
    copyMissingNext:
      'Store one on the page of its key. Until then nothing but your own copy brings the passphrase back.',
  },
}
