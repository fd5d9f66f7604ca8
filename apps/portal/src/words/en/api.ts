/** How programs of the company read what customers give to a service. */
export const api = {
  lead: 'Your systems read what customers give to this service with its client. They get it sealed, and open it with the key of the service.',
  none: 'The service has no client yet, so no program can read anything.',
  register: 'Register the client',
  registering: 'The client is registered …',
  clientId: 'Client id',
  secret: 'Client secret',
  once: 'You see this secret once.',
  onceNext:
    'Store it on your server, never in a page or an app. A copy that only the owner opens is kept sealed to your company.',
  stored: 'I have stored it',
  snippetTitle: 'Try it',
  snippetLead: 'This runs as it is in a terminal: it gets a token and lists the connections.',
  snippetName: 'Shell',
  replaceTitle: 'Replace the secret',
  replaceLead:
    'The old secret and every token of the client end at once. Systems that use them get nothing until they have the new one.',
  replace: 'Make a new secret',
  replacing: 'A new secret is made …',
  recoverTitle: 'The secret is lost?',
  recoverLead:
    'The owner gets it back here, with the password of the account and a code by mail. Nothing ends by that.',
  recovered: {
    shown: 'This is the secret of the client.',
    shownNext: 'Store it before you leave this page. The recovery copy stays.',
    open: 'Show the secret',
  },
  redirect: {
    title: 'Way back',
    label: 'Address of your app',
    hint: 'Where browsers come back to after customers have authorised a login. Begins with https://. Most services need none.',
    save: 'Save',
    saving: 'It is saved …',
    saved: 'Saved.',
  },
  ending: {
    title: 'End the client',
    open: 'End the client …',
    about:
      'The client and its tokens end at once: systems that use them read nothing more. Customers, values and the key stay. You can register a new client afterwards.',
    act: 'End the client',
    busy: 'The client ends …',
    keep: 'Keep it',
  },
}
