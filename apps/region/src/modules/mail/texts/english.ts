import type { MailTexts } from './index.ts'

/** Short, without links: a mail from us never asks to click, so that one that does is not from us. */
export const english: MailTexts = {
  register_code: ({ code, minutes }) => ({
    subject: 'Your confirmation code',
    text: [
      `Your confirmation code is ${code}.`,
      `It works for ${minutes} minutes. Type it where you are registering.`,
      `If you are not registering, ignore this mail: without the code no account is made.`,
    ],
  }),
  register_taken: () => ({
    subject: 'You already have an account',
    text: [
      'Somebody, maybe you, asked for a new account with this address. You already have one.',
      'Log in with your password. If it was not you, nothing has changed and there is nothing to do.',
    ],
  }),
  email_code: ({ code, minutes }) => ({
    subject: 'Confirm your new e-mail address',
    text: [
      `Your confirmation code is ${code}.`,
      `It works for ${minutes} minutes. Type it where you are changing your e-mail address.`,
      'If you are not doing that, ignore this mail: without the code nothing changes.',
    ],
  }),
  email_taken: () => ({
    subject: 'This address already has an account',
    text: [
      'Somebody, maybe you, asked to use this address for another account. It already belongs to yours.',
      'An address can belong to one account only. If it was not you, nothing has changed and there is nothing to do.',
    ],
  }),
  email_changed: ({ email }) => ({
    subject: 'Your e-mail address has changed',
    text: [
      `Your account now uses ${email}. Mails no longer come to this address.`,
      'If it was not you, somebody knows your password: contact us at once.',
    ],
  }),
  password_changed: () => ({
    subject: 'Your password has changed',
    text: [
      'The password of your account was changed, and all other devices were logged out.',
      'If it was not you, contact us at once.',
    ],
  }),
  delete_code: ({ code, minutes }) => ({
    subject: 'Confirm the deletion of your account',
    text: [
      `Your confirmation code is ${code}.`,
      `It works for ${minutes} minutes. With it your account is deleted for good: its keys are erased, nobody can bring it back.`,
      'If you do not want that, ignore this mail and change your password: whoever asked was logged in as you.',
    ],
  }),
  account_deleted: () => ({
    subject: 'Your account is deleted',
    text: ['Your account and its keys are deleted. This is the last mail about it.'],
  }),
  recover_code: ({ code, minutes }) => ({
    subject: 'Your code to open a recovery copy',
    text: [
      `Your code is ${code}.`,
      `It works for ${minutes} minutes. Type it where you are opening a recovery copy of a secret.`,
      'If you are not doing that, change your password: whoever asked was logged in as you.',
    ],
  }),
  verify_code: ({ code, minutes }) => ({
    subject: 'Your code to verify your e-mail address',
    text: [
      `Your code is ${code}.`,
      `It works for ${minutes} minutes. Type it where you are verifying the address in your profile.`,
      'If you are not doing that, change your password: whoever asked was logged in as you.',
    ],
  }),
}
