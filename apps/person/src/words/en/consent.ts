export const consent = {
  opening: 'Reading what is asked …',
  toHome: 'Go to the start',
  broken: {
    title: 'This request cannot be shown',
    what: 'The address of this page is not one that an app has made, or a part of it was lost.',
    next: 'Nothing was shared. Close the page, and start again where you came from.',
  },
  titles: {
    signin: (company: string) => `Sign in at ${company}?`,
    one_time: (company: string) => `Give ${company} something once?`,
    connect: (company: string) => `Connect to ${company}?`,
    '2fa_enroll': (company: string) => `Confirm sign-ins at ${company} here?`,
  },
  leads: {
    signin: (asker: string) => `${asker} wants to know that it is you.`,
    one_time: (asker: string) => `${asker} asks for a copy. It gets no later changes.`,
    connect: (asker: string, isConnected: boolean) =>
      isConnected
        ? `You are connected to ${asker} already. It wants to know that it is you.`
        : `${asker} wants to stay in touch with you. You decide what it sees.`,
    '2fa_enroll': (asker: string, isConnected: boolean, isEnrolled: boolean) =>
      isEnrolled
        ? `You confirm sign-ins at ${asker} already. You can go on.`
        : isConnected
          ? `From now on, this app asks you whenever somebody signs in at ${asker} as you.`
          : `This app then asks you whenever somebody signs in at ${asker} as you. For that you also connect to it.`,
  },
  after: {
    signin: (company: string) => `Only ${company} can open what you give. Sealpost cannot.`,
    one_time: (company: string) => `Only ${company} can open what you give. Sealpost cannot.`,
    connect: (company: string) => `Only ${company} can open what you give. You can change or end it at any time.`,
    '2fa_enroll': (company: string) =>
      `Confirming a sign-in shares none of your data with ${company}. You can end this at any time.`,
  },
  text: {
    readOnTheWay: (company: string) => `${company} gets this as plain text: Sealpost passes it on and could read it.`,
    agree: 'Give it as plain text',
    notAgreed: 'Agree to plain text first, or refuse.',
    wasSealed: (company: string) => `Until now ${company} got this sealed; now it is asked for as plain text.`,
    wasSealedNext: 'If you do not know why, refuse and ask the company.',
  },
  notVerified: 'It must be verified, and nothing in your data is. Verify it there, then come back here.',
  detached: 'This request comes from another screen.',
  detachedNext: 'Go on only if you have started it there yourself. If somebody sent you here, refuse.',
  acts: { signin: 'Sign in', one_time: 'Give it once', connect: 'Connect', '2fa_enroll': 'Confirm sign-ins here' },
  busy: 'Sealing and sending …',
  deny: 'Refuse',
  denying: 'Refusing …',
  done: { title: 'Done', lead: (company: string) => `Go back to the other screen: ${company} goes on there.` },
  denied: { title: 'Refused', lead: (company: string) => `${company} was told so, and got nothing of yours.` },
}
