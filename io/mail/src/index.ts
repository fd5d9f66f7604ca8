export { type Mail, type Mailer, openMailer, type SendOutcome } from './mailer.ts'
export { mailSettings } from './settings.ts'
