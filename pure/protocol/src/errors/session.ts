import { area } from './entry.ts'

/** Logging in to the portal or the person app. */
export const sessionErrors = area({
  'session.invalid': {
    status: 401,
    sentence: 'The login was not accepted',
    remedy: 'Check e-mail, password and code; the answer does not reveal which of them was wrong.',
  },
  'session.otp_required': {
    status: 401,
    sentence: 'This account also requires a one-time code',
    remedy: 'Repeat the login with `otp` from the authenticator app, or one of the backup codes.',
  },
  'session.expired': {
    status: 401,
    sentence: 'The session has ended',
    remedy: 'Log in again; sessions end after their lifetime, on logout, and when the password changes.',
  },
  'session.not_found': {
    status: 404,
    sentence: 'This account has no session with this id',
    remedy: 'List the sessions again: it has ended, or belongs to another account.',
  },
})
