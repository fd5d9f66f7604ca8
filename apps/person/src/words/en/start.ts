import { start as ofTheSession } from '@sealpost/session/words/en'

export const start = {
  ...ofTheSession,
  welcome: {
    title: 'Your data, sealed by you',
    lead: 'Give companies what they need, see who has what, and change it in one place.',
    promises: [
      'What you write is sealed on this device. Only those you choose can open it. Sealpost cannot.',
      'When you move, you write the new address once. Everybody who may know it gets it.',
      'You can end it with one company, or with all, whenever you like.',
    ],
    begin: 'Begin',
    signIn: 'I have an account',
  },
}
