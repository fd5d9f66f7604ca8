import { pluralOf } from '@sealpost/ui/plural'

const plural = pluralOf('en')

export const delegates = {
  title: 'Delegates',
  lead: 'Colleagues who work for this company with an account of their own. Each sees the services you choose, and nothing of the account itself.',
  empty: 'You work alone here. A colleague who has an account can be let in by the code of that account.',
  add: 'Add a delegate',
  name: 'Delegate',
  code: 'Code',
  role: 'Role',
  services: 'Services',
  keys: 'Keys',
  since: 'Since',
  unnamed: 'Not told yet',
  countOfServices: (count: number) => plural(count, { one: '# service', other: '# services' }),
  noServices: 'None',
  countOfKeys: (count: number, of: number) => `${count} of ${of}`,
  roles: { admin: 'Admin', operator: 'Operator' },
  rolesAbout: {
    admin: 'Sets services up, and opens what customers gave with the keys that you hand over.',
    operator:
      'Sees who is connected and whether everything runs. Opens no values, messages or answers, and changes nothing.',
  },
  whichServices: 'Which services',
  whichServicesAbout: 'Others are as if they did not exist.',
  noService: 'This company has no service yet. The delegate can be let in now and get services later.',
  addPage: {
    lead: 'You need the code of the colleague’s own account. It stands in its settings and at the start of the person app.',
    code: 'Code of the account',
    codeHint: 'Six letters and digits, such as R7TQ4K.',
    codeProblem: 'Write the code that your colleague has told you.',
    send: 'Let in',
    busy: 'Letting in …',
  },
  page: {
    save: 'Save',
    busy: 'Saving …',
    saved: 'Saved. It holds from the next click of the delegate.',
    loses: (services: string) =>
      `Without access to ${services} the handed-over passphrase goes. If the delegate has seen it, it stays known: think of a new service with a key of its own.`,
    keys: 'Keys of services',
    keysAbout:
      'A delegate opens what customers gave only with the passphrase of the service. You seal it to the delegate; Sealpost cannot open it.',
    keysOfOperator: 'An operator opens nothing, so no key is needed.',
    keyed: 'Handed over',
    notKeyed: 'Not handed over',
    handOver: 'Hand over',
    again: 'Hand over again',
    act: 'To do',
    fingerprint: 'Fingerprint of the delegate’s key',
    fingerprintAbout:
      'Have your colleague read it out from the settings of the portal before you hand over a key. If it differs, hand over nothing and tell us.',
    noKey: 'This account has no key yet, so no passphrase can be sealed to it.',
    remove: 'Remove this delegate',
    follows: [
      'From the next click the delegate sees nothing of this company.',
      'Passphrases that were handed over are deleted. Those that the delegate has seen stay known.',
      'What the delegate has done stays in the audit.',
    ],
    removeBusy: 'Removing …',
  },
  keyPage: {
    title: (service: string) => `Hand over the key of ${service}`,
    lead: 'The passphrase is sealed in this browser to the key of the delegate, and is forgotten here at once.',
    compared: 'My colleague has read out the same fingerprint',
    comparedProblem: 'Compare the fingerprint first: it shows that no other key was put in its place.',
    passphrase: 'Passphrase of the service',
    passphraseHint: '43 letters, digits, - and _. Spaces between groups do not matter.',
    send: 'Seal and hand over',
    busy: 'Trying and sealing it …',
  },
  handed: {
    is: 'The passphrase of this service was handed to you, sealed to your key.',
    open: 'Open with it',
    busy: 'Opening the key …',
    isNot: 'The passphrase of this service was not handed to you.',
    ask: 'Ask the owner of the company for it, or open the key by another way below.',
  },
  own: {
    title: 'If you are to work for another company',
    about: 'Tell its owner your code. When a key is handed to you, read out this fingerprint.',
    code: 'Your code',
    fingerprint: 'Fingerprint of your key',
  },
}
