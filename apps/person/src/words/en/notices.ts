/** Shown by the device while the app is closed: the kind of the news, and nothing about it. */
export interface NoticeWords {
  /** By the kind of the hint. */
  readonly kinds: Readonly<Partial<Record<string, string>>>
  readonly other: string
}

export const notices: NoticeWords = {
  kinds: {
    challenge_raised: 'Is this you signing in? Open Sealpost to answer.',
    connect_request_received: 'A company wants to connect with you.',
    connection_deleted: 'A connection has ended.',
    consent_requested: 'A company asks for something more.',
    document_created: 'You have a new document.',
    document_status_changed: 'A document has changed.',
    message_received: 'You have a new message.',
    flow_run_turn: 'Something waits for your answer.',
    flow_completed: 'Something is complete.',
  },
  other: 'There is something new.',
}
