/** The pages of one service. */
export const service = {
  title: 'A service',
  code: 'Code',
  keyOpen: 'Key open here',
  keyClosed: 'Key not open here: values stay sealed',
  tabs: { overview: 'Overview', fields: 'What you ask', api: 'API access', key: 'Key', runs: 'Runs' },
  madeOn: (day: string) => `Made on ${day}.`,
  share: {
    title: 'How customers come here',
    lead: 'Put the code, the link or the QR code on your website, a letter or a counter. Customers see what you ask for before they give anything.',
    code: 'Code',
    link: 'Link',
    qr: (name: string) => `QR code of the link to ${name}`,
    why: 'Link and QR code say which key is right. The customer’s app refuses another one, even if a server in between names it. The code alone does not say it.',
    noApp: 'The operator of this site has not said where customers connect, so there is no link.',
    unknown: 'This browser does not know the key of this service yet, so it makes no link and no QR code.',
    unknownNext:
      'Open the key once with its passphrase. A link with a key that only a server has named would not protect your customers.',
    toKey: 'Open the key',
  },
  ending: {
    title: 'End this service',
    lead: 'Its connections end, and what customers shared is deleted. Signed documents and runs stay with you.',
    act: 'Delete the service …',
    question: (name: string) => `Delete ${name}`,
    whatFollows: 'What follows',
    follows: [
      'Every connection ends, and what customers have shared is deleted. Customers are told.',
      'Webhooks and the client of the service end at once; systems that use them get nothing more.',
      'What was signed or accepted, and the documents of runs, stay with you. So does the key that opens them: keep the passphrase.',
      'The code becomes free. The service cannot be brought back.',
    ],
    delete: (name: string) => `Delete ${name}`,
    busy: 'The service ends …',
    keep: 'Keep it',
  },
}
