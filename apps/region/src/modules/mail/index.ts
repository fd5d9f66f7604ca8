export { mailMigrations } from './migrations.ts'
export { type MailNeeds, queueMail, type QueuedMail, rewrapMails } from './operations.ts'
export { type MailSender, startMailSender } from './sender.ts'
export type { MailTemplate } from './texts/index.ts'
