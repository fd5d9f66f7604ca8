import { openMailer } from '@sealpost/mail'
import type { Module, Platform } from '../../platform/module.ts'
import { removeAll } from '../../platform/remove-all.ts'
import { httpSmsGateway } from '../../platform/sms-gateway.ts'
import { handleMails, tidyMails } from './operations/send-mails.ts'

const MAILS_AT_ONCE = 1000

export function openMail(platform: Platform): Platform & Module {
  const { SMTP_URL: url, MAIL_FROM: from, SMS_URL: smsUrl, SMS_TOKEN: token } = platform.settings
  const mailer = openMailer({ url, from })
  const sms = smsUrl === null ? null : httpSmsGateway({ egress: platform.egress, url: smsUrl, token })
  return {
    ...platform,
    name: 'mail',
    onJobs: (jobs) => handleMails({ ...platform, mailer, sms }, jobs),
    chores: [
      { what: 'mails without a job', run: () => removeAll(MAILS_AT_ONCE, (limit) => tidyMails(platform, limit)) },
    ],
    close: async () => mailer.close(),
  }
}
