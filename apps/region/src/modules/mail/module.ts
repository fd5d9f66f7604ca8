import { openMailer } from '@sealpost/mail'
import type { Module, Platform } from '../../platform/module.ts'
import { removeAll } from '../../platform/remove-all.ts'
import { handleMails, tidyMails } from './operations/send-mails.ts'

const MAILS_AT_ONCE = 1000

export function openMail(platform: Platform): Platform & Module {
  const { SMTP_URL: url, MAIL_FROM: from } = platform.settings
  const mailer = openMailer({ url, from })
  return {
    ...platform,
    name: 'mail',
    onJobs: (jobs) => handleMails({ ...platform, mailer }, jobs),
    chores: [
      { what: 'mails without a job', run: () => removeAll(MAILS_AT_ONCE, (limit) => tidyMails(platform, limit)) },
    ],
    close: async () => mailer.close(),
  }
}
