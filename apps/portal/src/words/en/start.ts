import { start as ofTheSession } from '@sealpost/session/words/en'

const { register, locked, recovery } = ofTheSession

export const start = {
  ...ofTheSession,
  register: {
    ...register,
    about: {
      ...register.about,
      title: 'Which company is it?',
      lead: 'Customers see this name. The e-mail address signs in here and gets what concerns the whole account.',
      name: 'Name of the company',
      nameProblem: 'Write the name under which customers know the company.',
      emailProblem: 'Write an e-mail address such as portal@company.example.',
      region: 'Where should its data rest?',
      regionAbout: 'Sealed, so it is safe in every place. Customers everywhere can connect.',
    },
    password: {
      ...register.password,
      lead:
        'This browser now makes two pairs of keys. One opens what is sent to the company; the other opens copies of ' +
        'passphrases that you may keep. Your password seals both. We never get it, so we cannot reset it.',
    },
  },
  recovery: {
    ...recovery,
    lead:
      'We cannot reset it, because we cannot open the keys of the company. This code can. Keep it where only the owner of ' +
      'the account finds it: on paper in a safe, or in a password manager.',
  },
  locked: { ...locked, lead: 'The keys of the company are sealed. They open with what only you have.' },
  signIn: { ...ofTheSession.signIn, create: 'The company is new here' },
  welcome: {
    title: 'What customers give you, sealed to you',
    lead: 'Ask for what you need, keep it up to date without asking twice, and open it only here.',
    promises: [
      'Each service has a key of its own, made in this browser. Sealpost stores it sealed and cannot open it.',
      'When a customer moves, the new address comes by itself.',
      'Who of your staff can open what is said in one place, and ends with one click.',
    ],
    begin: 'Register a company',
    signIn: 'We have an account',
  },
}
