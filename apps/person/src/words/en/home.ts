export const home = {
  title: (name: string) => `Hello, ${name}`,
  seen: (companies: number) =>
    companies === 0
      ? 'Nobody sees anything of yours.'
      : companies === 1
        ? 'One company sees something of yours.'
        : `${companies} companies see something of yours.`,
  waits: (things: number) =>
    things === 0
      ? 'Nothing waits for you.'
      : things === 1
        ? 'One thing waits for you.'
        : `${things} things wait for you.`,
  /** Where not everything could be read. */
  waitsAtLeast: (things: number) =>
    things === 0
      ? 'Whether something waits for you is not known at the moment.'
      : things === 1
        ? 'One thing waits for you, perhaps more.'
        : `${things} things wait for you, perhaps more.`,
  waiting: 'Waits for you',
  decide: (things: number) => (things === 1 ? 'Decide about one more thing' : `Decide about ${things} more things`),
  sign: (paper: string) => `Sign ${paper}`,
  accept: (paper: string) => `Answer ${paper}`,
  read: (messages: number) => (messages === 1 ? 'Read one message' : `Read ${messages} messages`),
  fill: (form: string | null) => (form === null ? 'Fill in a form' : `Fill in ${form}`),
  make: 'Have the documents made',
  answer: (service: string) => `Answer the invitation to ${service}`,
  by: (company: string | null, when: string | null) => [company, when].filter((part) => part !== null).join(' · '),
  next: 'What you can do',
  setUnlock: 'Open without your password',
  setUnlockAbout: 'With a fingerprint, your face or a passcode',
  fillData: 'Write down what you often need',
  fillDataAbout: 'Your address, your phone, your date of birth',
  forms: 'Forms and contracts',
  formsAbout: 'Those that are open, and those that are over',
  connect: 'Connect to a company',
  connectAbout: 'With the code that it gave you',
  code: 'Your own code',
  codeAbout: 'Give it to a company that wants to invite you. It opens nothing.',
}
