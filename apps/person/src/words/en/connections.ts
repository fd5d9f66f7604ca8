export const connections = {
  sees: {
    title: 'Who sees what',
    lead: 'Sealed on your devices. Only those named here can open a value; Sealpost cannot.',
    empty: 'Nobody sees anything of yours. Connect to a company with the code that it gave you.',
    everybody: 'Everybody',
    onlyYou: 'Only you',
    show: 'Show',
    live: (when: string) => `Every change, since ${when}`,
    copy: (when: string) => `One copy, of ${when}`,
    typedOnly: 'Typed for this company alone',
    connect: 'Connect to a company',
    none: 'This company sees nothing of yours.',
    companies: 'Companies',
  },
  connect: {
    title: 'Connect to a company',
    lead: 'Type or scan the code that the company gave you. You see what it asks for before anything is sent.',
    code: 'Code',
    codeHint: 'Two parts with a slash between them, such as NRTHWD/INTAKE.',
    codeProblem: 'The code has two parts with a slash between them.',
    look: 'Look it up',
    looking: 'Looking it up …',
    scan: 'With a QR code',
  },
  offer: {
    title: (company: string) => `Connect to ${company}?`,
    lead: (service: string, asked: number) =>
      asked === 0
        ? `${service} asks for nothing now.`
        : asked === 1
          ? `${service} asks for one thing. You decide about it.`
          : `${service} asks for ${asked} things. You decide about each.`,
    forCompanies: 'This service is for companies only.',
    needed: 'Needed',
    optional: 'If you like',
    live: 'Every change follows, until you end it.',
    oneTime: 'One copy. Later changes do not follow.',
    verified: 'Must be verified',
    fromData: (label: string) => `My ${label}`,
    typed: 'Something else, for this company only',
    newValue: 'Write it now',
    withhold: 'Do not give it',
    legend: (label: string) => `${label}: what do you give?`,
    keep: 'Also keep it in my data',
    value: 'Value',
    missing: 'The company needs this. Choose something, or do not connect.',
    afterwards: 'You can change or end this at any time.',
    connect: 'Connect and share',
    connectNothing: 'Connect',
    busy: 'Sealing and sending …',
    fileLater: 'Put this file into “My data” first; then choose it here.',
  },
  connection: {
    since: (when: string) => `Connected since ${when}`,
    lead: (service: string, count: number) =>
      count === 0
        ? `${service} sees nothing of yours.`
        : count === 1
          ? `${service} sees one thing of yours.`
          : `${service} sees ${count} things of yours.`,
    shared: 'What it sees',
    pending: 'What it asks for',
    pendingLead: 'Nothing is sent until you decide.',
    withheld: 'What you do not give',
    about: 'About the company',
    change: 'Change',
    decide: 'Decide',
    give: 'Give it',
    stop: 'Stop sharing it',
    declineAct: 'Do not give it',
    saving: 'Sealing …',
    fromField: (label: string) => `Your ${label}`,
    typed: 'Typed for this company alone',
    post: 'Between you',
    write: 'Messages',
    papers: 'Papers',
    end: 'End the connection',
  },
  end: {
    title: (company: string) => `End it with ${company}?`,
    whatFollows: 'What follows',
    follows: (company: string) => [
      `${company} loses everything that you share: the platform deletes it there.`,
      'What it has already written down elsewhere, or must keep by law, stays with it.',
      'Its sign-in requests and messages to you end.',
      'You can connect again later, with the same code.',
    ],
    act: 'End connection',
    busy: 'Ending …',
    keep: 'Keep it',
  },
  invitation: {
    from: (company: string) => `${company} invites you`,
    reject: 'No, thank you',
    look: 'See what it asks for',
    rejecting: 'Answering …',
  },
}
