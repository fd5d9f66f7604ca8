import { formatInstant, type Instant } from '@sealpost/kernel'
import type { MailTexts, StaleWebhook } from './templates.ts'

/** Short, without links: users learn that a mail with a link is not from this platform. */
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
      'A new account was requested with this address, maybe by you. You already have one.',
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
      'The use of this address for another account was requested, maybe by you. It already belongs to yours.',
      'An address can belong to one account only. If it was not you, nothing has changed and there is nothing to do.',
    ],
  }),
  email_changed: ({ email }) => ({
    subject: 'Your e-mail address has changed',
    text: [
      `Your account now uses ${email}. Mails no longer come to this address.`,
      'If it was not you, another person knows your password: contact us at once.',
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
      `It works for ${minutes} minutes. With it your account is deleted for good: its keys are erased, and it cannot be restored.`,
      'If you do not want that, ignore this mail and change your password: the request came from a login to your account.',
    ],
  }),
  flow_data_deletion: ({ company, dueAt, runs }) => ({
    subject: 'The data of your contract flows will be deleted',
    text: [
      `The level of ${company} no longer includes contract flows. On ${formatInstant(dueAt)} the answers and files of its runs are deleted for good: those of ${runs} runs now, and of runs that start before that time.`,
      'Runs that are open then are cancelled. Runs, participants and signed documents stay.',
      'Export what you need before that time. If the level includes contract flows again by then, nothing is deleted.',
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
      'If you are not doing that, change your password: the request came from a login to your account.',
    ],
  }),
  sign_code: ({ code, minutes, document }) => ({
    subject: 'Your code to sign a document',
    text: [
      `Your code is ${code}.`,
      `It works for ${minutes} minutes and signs one document: “${document}”. Type it where you are signing.`,
      'If you are not signing anything, change your password: the request came from a login to your account.',
    ],
  }),
  verify_code: ({ code, minutes }) => ({
    subject: 'Your code to verify your e-mail address',
    text: [
      `Your code is ${code}.`,
      `It works for ${minutes} minutes. Type it where you are verifying the address in your profile.`,
      'If you are not doing that, change your password: the request came from a login to your account.',
    ],
  }),
  verify_phone: ({ code, minutes }) => ({
    subject: '',
    text: [`Your code is ${code}. It works for ${minutes} minutes. If you do not verify this number, ignore it.`],
  }),
  webhook_stale: (webhook) => ({
    subject: `Events wait for your webhook at ${webhook.host}`,
    text: [
      `${countOf(webhook.waiting)} of your service ${webhook.service} ${webhook.waiting === 1 ? 'waits' : 'wait'} for the webhook at ${webhook.host}${since(webhook.oldestAt)}.`,
      whyItWaits(webhook),
      whatToDo(webhook),
      ...(webhook.lossAt === null
        ? []
        : [`Events are kept for 7 days. If nothing changes, data is lost from ${timeOf(webhook.lossAt)} on.`]),
      ...(webhook.lost === 0
        ? []
        : [
            `${countOf(webhook.lost)} older than 7 days ${was(webhook.lost)} removed meanwhile and cannot be brought back.`,
          ]),
      `This mail comes once ${webhook.nextMail === 'day' ? 'a day' : 'an hour'} until the events are delivered. The id of the webhook is ${webhook.webhookId}.`,
    ],
  }),
  webhook_purged: (webhook) => ({
    subject: `Events for your webhook at ${webhook.host} were lost`,
    text: [
      `${countOf(webhook.lost)} of your service ${webhook.service} could not be delivered to the webhook at ${webhook.host} for 7 days and ${was(webhook.lost)} removed. They cannot be brought back.`,
      whyItWaits(webhook),
      whatToDo(webhook),
      webhook.oldestAt === null
        ? 'Nothing else waits.'
        : `${countOf(webhook.waiting)} still ${webhook.waiting === 1 ? 'waits' : 'wait'}${since(webhook.oldestAt)}, and each is removed when it is 7 days old.`,
      `To know what you missed, read your connections and documents again: they show the present state. The id of the webhook is ${webhook.webhookId}.`,
    ],
  }),
}

function whyItWaits({ cause, since: at, lastError }: StaleWebhook): string {
  const error = lastError === null ? '' : `: ${lastError}`
  switch (cause) {
    case 'failing':
      return `Why: its endpoint fails, last at ${timeOf(at)}${error}.`
    case 'probing':
      return `Why: its endpoint failed${error}. It is being tried again now.`
    case 'paused':
      return `Why: the webhook was paused.`
    case 'disabled':
      return 'Why: the webhook is switched off. What had been queued before is still here.'
    case 'suspended':
      return 'Why: the present level of your account has no webhooks. What had been queued before is still here.'
    case 'waiting':
      return 'Why: deliveries are slower than events come, or are held up on our side.'
    case 'over':
      return 'Why: its endpoint had failed until all that waited was too old. New events are sent again as they come.'
  }
}

function whatToDo({ cause }: StaleWebhook): string {
  const byHand = 'Or fetch the events yourself from the change feed with the id of the webhook.'
  switch (cause) {
    case 'failing':
    case 'probing':
      return `What to do: see that the endpoint answers 200 within 10 seconds, then send a test and a probe from the settings of the webhook. Everything that waits follows in order. ${byHand}`
    case 'paused':
      return `What to do: resume the webhook. ${byHand}`
    case 'disabled':
      return `What to do: switch the webhook on, or delete it if it is not needed any more. ${byHand}`
    case 'suspended':
      return 'What to do: choose a level with webhooks, or delete the webhook.'
    case 'waiting':
      return `What to do: make the endpoint answer faster, or ask us. ${byHand}`
    case 'over':
      return 'What to do: see that the endpoint answers 200 within 10 seconds, and send it a test from the settings of the webhook.'
  }
}

function countOf(count: number): string {
  return count === 1 ? 'One event' : `${count} events`
}

function was(count: number): string {
  return count === 1 ? 'was' : 'were'
}

function since(at: Instant | null): string {
  return at === null ? '' : `, the oldest since ${timeOf(at)}`
}

/** `2026-05-01 09:30 UTC` */
function timeOf(at: Instant): string {
  return `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`
}
