export type { MailContext } from './context.ts'
export { mailMigrations } from './migrations.ts'
export { openMail } from './module.ts'
export {
  CODE_MINUTES,
  CODE_TRIES,
  codeEnd,
  type CodeHash,
  hashCode,
  matchesCode,
  newCode,
} from './operations/mailed-code.ts'
export { queueMail, type QueuedMail, queueSms } from './operations/queue-mail.ts'
export { rewrapMails } from './operations/rewrap-mails.ts'
export { handleMails } from './operations/send-mails.ts'
export type { MailTemplate } from './texts/index.ts'
