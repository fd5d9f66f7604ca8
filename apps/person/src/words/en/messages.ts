export const messages = {
  title: 'Messages',
  lead: (unread: number) =>
    unread === 0
      ? 'Only you and the company can open what you write to each other.'
      : unread === 1
        ? 'One is new. Only you and the company can open what you write to each other.'
        : `${unread} are new. Only you and the company can open what you write to each other.`,
  empty: 'You can write to every company that you are connected to.',
  connect: 'Connect to a company',
  none: 'No messages yet',
  you: (text: string) => `You: ${text}`,
  draft: 'Not sent yet',
  onItsWay: 'On its way',
  unopened: 'This message cannot be opened: it was damaged, or sealed to another key.',
  unread: (count: number) => (count === 1 ? '1 new' : `${count} new`),
  thread: {
    lead: (service: string) => `${service}. Only the two of you can open what you write here; Sealpost cannot.`,
    label: 'Messages',
    earlier: 'Show earlier ones',
    begin: 'Nothing has been written yet.',
    newHere: 'New',
    own: 'You',
    broadcast: 'To all customers, not sealed',
    sent: (time: string) => `Sent ${time}`,
    read: (time: string) => `Read ${time}`,
    sending: 'Sending …',
    waiting: 'Waits for the network. It is kept on this device and sent once.',
    again: 'Send now',
    takeBack: 'Change it',
    write: 'Your message',
    send: 'Send',
    tooLong: 'This is too long for one message. Send it in two parts.',
    today: 'Today',
  },
}
