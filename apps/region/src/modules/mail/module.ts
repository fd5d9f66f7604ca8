import { openMailer } from '@sealpost/mail'
import type { Module, Platform } from '../../platform/module.ts'
import { startMailSender } from './operations/send-mails.ts'

export function openMail(platform: Platform): Platform & Module {
  const { SMTP_URL: url, MAIL_FROM: from } = platform.settings
  return {
    ...platform,
    name: 'mail',
    start: () => startMailSender({ ...platform, mailer: openMailer({ url, from }) }),
  }
}
