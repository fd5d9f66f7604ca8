import type { NoticeWords } from '../en/notices.ts'

export const notices: NoticeWords = {
  kinds: {
    challenge_raised: 'Melden Sie sich gerade an? Öffnen Sie Sealpost, um zu antworten.',
    connect_request_received: 'Ein Unternehmen möchte sich mit Ihnen verbinden.',
    connection_deleted: 'Eine Verbindung ist beendet.',
    consent_requested: 'Ein Unternehmen fragt nach etwas Weiterem.',
    document_created: 'Sie haben ein neues Dokument.',
    document_status_changed: 'Ein Dokument hat sich geändert.',
    message_received: 'Sie haben eine neue Nachricht.',
    flow_run_turn: 'Etwas wartet auf Ihre Antwort.',
    flow_completed: 'Etwas ist abgeschlossen.',
  },
  other: 'Es gibt etwas Neues.',
}
