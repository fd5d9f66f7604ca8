import { refusals as ofTheSession, shell as ofSignIn } from '@sealpost/session/words/en'
import type { ErrorTexts } from '@sealpost/ui'
import { refusals as ofEveryApp, shell as ofShell, SHOULD_NOT } from '@sealpost/web-app/words/en'

export const shell = {
  ...ofShell,
  ...ofSignIn,
  main: 'Main',
  notFound: { title: 'There is nothing here', lead: 'The address may be old or mistyped.', home: 'Go to the start' },
  dock: { home: 'Home', inbox: 'Inbox', data: 'My data', sees: 'Who sees', settings: 'Settings' },
  /** The marks at the links of the frame. */
  waiting: (things: number) => (things === 1 ? '1 waits' : `${things} wait`),
  waitingUnknown: 'could not be counted',
}

/** By the key of a refusal of the app itself. */
export const refusals: ErrorTexts = {
  ...ofEveryApp,
  ...ofTheSession,
  asked_otherwise: {
    what: 'The company asks for something else now than you were shown, so nothing was sent.',
    next: 'Look at it again before you decide.',
  },
  connection_ended: {
    what: 'The server shows a connection that you have ended, so nothing was sent.',
    next: SHOULD_NOT,
  },
  connection_forged: {
    what: 'The server shows a connection that none of your devices made, so nothing was sent.',
    next: SHOULD_NOT,
  },
  connection_outdated: {
    what: 'The server shows an older state of a connection than this device knows, so nothing was sent.',
    next: SHOULD_NOT,
  },
  connection_unknown: {
    what: 'The server shows a connection that none of your devices made, so nothing was sent.',
    next: SHOULD_NOT,
  },
  consent_changed: {
    what: 'The request is another one than you were shown, so nothing was sent.',
    next: 'Look at it again before you decide.',
  },
  document_changed: {
    what: 'This is not what the company has sent: it was changed or damaged on its way.',
    next: 'Nothing of it is shown. Try again; if this stays, ask the company to send it once more.',
  },
  key_not_announced: {
    what: 'The server shows another key for this company than its link says, so nothing was sent.',
    next: 'Ask the company for a new link, and not over this app. Until both are the same, give it nothing.',
  },
  link_cut: {
    what: 'The end of this link is missing or damaged, so it cannot say which key is the right one.',
    next: 'Copy the whole link, scan the code again, or ask the company for a new one.',
  },
  key_changed: {
    what: 'The key of this company is another one than this device knows, so nothing was sent.',
    next: 'Ask the company whether it has a new key. Until you know, give it nothing.',
  },
  run_definition: {
    what: 'The questions of this form are others than this device knows, so nothing was sent.',
    next: 'They never change once a form has begun. Tell the company, and give no answers until you know why.',
  },
  leads_elsewhere: {
    what: 'The way back leads to another place than the one that was asked for.',
    next: 'Close this page, and start again where you came from.',
  },
  invitation_gone: { what: 'This invitation is no longer open.', next: 'Ask the company for a new one.' },
  mapping_unknown: {
    what: 'The server says that a company follows this value, and you never gave it, so nothing was sent.',
    next: SHOULD_NOT,
  },
  plaintext_not_agreed: {
    what: 'This app would get your data as plain text, and you have not agreed to that, so nothing was sent.',
    next: 'Open the request again, and agree to plain text or refuse.',
  },
  paper_replaced: {
    what: 'The company has replaced this paper since you opened it, so nothing was signed.',
    next: 'Read the new one, then decide again.',
  },
  notices_refused: {
    what: 'This device does not let Sealpost show notices.',
    next: 'Allow notices for this site in the settings of the browser, then try again.',
  },
  no_push_service: {
    what: 'This browser could not be reached for notices.',
    next: 'Try again when it is online. Some browsers have no such service.',
  },
}
