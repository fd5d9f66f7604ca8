import { pluralOf } from '@sealpost/ui/plural'

const plural = pluralOf('en')

export const home = {
  place: 'Home',
  /** Counts only what was read. */
  failed: (count: number) =>
    plural(count, { one: 'One thing has failed. Nothing is lost.', other: '# things have failed. Nothing is lost.' }),
  waits: (count: number) => plural(count, { one: 'One thing waits for you', other: '# things wait for you' }),
  calm: 'Nothing waits for you',
  calmLead: 'Everything runs by itself.',
  alsoWaits: (count: number) => plural(count, { one: 'One more thing waits.', other: '# more things wait.' }),
  atLeast: 'More may wait: only the oldest are listed.',
  needs: 'What needs you',
  isFailed: 'Failed',
  isWaiting: 'Waits',
  /** What to do, then with what: the first word is set in bold. */
  acts: {
    webhook_parked: (count: number) => ({
      verb: 'Mend',
      rest: plural(count, { one: 'a webhook', other: '# webhooks' }),
    }),
    webhook_paused: (count: number) => ({
      verb: 'Resume',
      rest: plural(count, { one: 'a webhook', other: '# webhooks' }),
    }),
    backlog_old: (count: number) => ({
      verb: 'Fetch',
      rest: plural(count, { one: 'events that wait for a reader', other: 'events that wait for # readers' }),
    }),
    run_awaits: (count: number) => ({ verb: 'Answer', rest: plural(count, { one: 'a run', other: '# runs' }) }),
    signature_awaits: (count: number) => ({
      verb: 'Sign',
      rest: plural(count, { one: 'a document', other: '# documents' }),
    }),
    messages_unread: (count: number) => ({
      verb: 'Read',
      rest: plural(count, { one: 'messages of a customer', other: 'messages of # customers' }),
    }),
    event_quarantined: (count: number) => ({
      verb: 'Look at',
      rest: plural(count, { one: 'an event that was set aside', other: '# events that were set aside' }),
    }),
  },
  why: {
    webhook_parked: 'The server does not take deliveries. What happens waits in order.',
    webhook_paused: 'It was paused here. What happens waits in order.',
    backlog_old: 'They have waited for more than a day.',
    run_awaits: 'The company is next.',
    signature_awaits: 'The others have signed; the company is next in the line.',
    messages_unread: 'Sealed until you open the key of the service.',
    event_quarantined: 'It does not fit what was agreed for its kind, so it was not sent.',
  },
  since: (when: string) => `since ${when}`,
  open: 'Open the runs',
  services: 'Services',
  allServices: 'All services',
  audit: 'Audit',
  allAudit: 'All of it',
  noAudit: 'Nothing has been changed yet.',
  account: 'Account',
  level: 'Level',
  region: 'Region',
  code: 'Company code',
  codeAbout: 'Customers find your services by it.',
  stored: 'Files and photos',
  of: (used: string, quota: string) => `${used} of ${quota}`,
  noLimit: (used: string) => `${used}, no limit`,
  keys: 'finds every page and service, and does what is done here',
}
