import type { ErrorTexts } from '../error-text.ts'

const AGAIN = 'Versuchen Sie es gleich noch einmal.'
const READ_AGAIN = 'Gehen Sie zurück und öffnen Sie es neu, um den jetzigen Stand zu sehen.'
const SIGN_IN = 'Melden Sie sich neu an.'
const TELL_US = 'Sagen Sie uns, was Sie getan haben: Diese App sollte das verhindern.'

/** The same keys as in English: a test compares them. */
export const errorsInGerman: ErrorTexts = {
  'account.counterparty_deleted': {
    what: 'Die andere Seite hat ihr Konto gelöscht.',
    next: 'Was Sie haben, bleibt lesbar; Neues kann hier nicht mehr geschehen.',
  },
  'account.level_required': {
    what: 'Der Tarif des Unternehmens enthält das nicht.',
    next: 'Fragen Sie das Unternehmen.',
  },
  'account.push_not_configured': {
    what: 'Diese Seite verschickt keine Mitteilungen.',
    next: 'Öffnen Sie die App, um Neues zu sehen.',
  },
  'account.storage_exceeded': {
    what: 'Ihr Platz für Dateien ist voll.',
    next: 'Löschen Sie eine Datei, die Sie nicht mehr brauchen.',
  },
  'auth.client_endpoint_forbidden': { what: 'Diese Seite darf das nicht.', next: SIGN_IN },
  'auth.expired': { what: 'Ihre Sitzung ist zu Ende.', next: SIGN_IN },
  'auth.token_invalid': { what: 'Ihre Sitzung ist zu Ende.', next: SIGN_IN },
  'auth.token_missing': { what: 'Sie sind nicht angemeldet.', next: SIGN_IN },
  'company_connections.active_contract': {
    what: 'Eine Vereinbarung mit diesem Unternehmen läuft noch, deshalb bleibt die Verbindung.',
    next: 'Beenden Sie zuerst die Vereinbarung, danach die Verbindung.',
  },
  'company_connections.consent_answered': {
    what: 'Diese Anfrage wurde inzwischen beantwortet, vielleicht auf einem anderen Gerät.',
    next: 'Es wurde nichts geändert. Sehen Sie nach, was Sie teilen, und ändern Sie es dort.',
  },
  'company_connections.mandatory_missing': {
    what: 'Etwas fehlt, das das Unternehmen braucht.',
    next: 'Füllen Sie aus, was als nötig markiert ist.',
  },
  'company_connections.persons_only': {
    what: 'Das können nur Personen.',
    next: 'Melden Sie sich mit einem persönlichen Konto an.',
  },
  'company_connections.request_not_found': {
    what: 'Diese Einladung ist nicht mehr offen.',
    next: 'Bitten Sie das Unternehmen um eine neue.',
  },
  'company_connections.source_changed': {
    what: 'Ihre Daten haben sich während der Auswahl geändert.',
    next: 'Sehen Sie noch einmal hin und versuchen Sie es erneut.',
  },
  'company_data.ack_boundary_invalid': { what: 'Diese Nachrichten gibt es hier nicht mehr.', next: READ_AGAIN },
  'company_data.already_connected': {
    what: 'Sie sind mit diesem Dienst schon verbunden.',
    next: 'Sie finden ihn unter „Wer sieht was“.',
  },
  'company_data.connection_not_found': {
    what: 'Diese Verbindung ist beendet.',
    next: 'Mit dem Code des Unternehmens können Sie sich neu verbinden.',
  },
  'company_data.file_not_found': { what: 'Diese Datei gibt es hier nicht mehr.', next: READ_AGAIN },
  'contact_data.encryption_required': {
    what: 'Der Wert war nicht versiegelt und wurde deshalb nicht angenommen.',
    next: TELL_US,
  },
  'contact_data.shares_incomplete': {
    what: 'Wer diesem Wert folgt, hat sich während des Speicherns geändert.',
    next: 'Speichern Sie noch einmal.',
  },
  'db.writes_paused': {
    what: 'Sealpost wird gewartet und nimmt gerade keine Änderungen an.',
    next: 'Lesen geht. Speichern Sie in ein paar Minuten.',
  },
  'documents.content_mismatch': {
    what: 'Das ist nicht das Dokument, das Ihnen gezeigt wurde.',
    next: 'Öffnen Sie es neu und lesen Sie es, bevor Sie entscheiden.',
  },
  'documents.human_required': {
    what: 'Das muss eine Person auf einem eigenen Gerät bestätigen.',
    next: 'Fügen Sie ein Gerät hinzu, das bestätigen kann.',
  },
  'documents.not_cancellable': {
    what: 'Das kann nicht mehr widerrufen werden.',
    next: 'Schreiben Sie dem Unternehmen.',
  },
  'documents.not_found': { what: 'Dieses Dokument gibt es hier nicht mehr.', next: READ_AGAIN },
  'documents.not_signable': {
    what: 'Dieses Dokument kann nicht unterschrieben werden.',
    next: 'Bitten Sie das Unternehmen um ein anderes.',
  },
  'documents.seal_failed': { what: 'Das Dokument konnte nicht versiegelt werden.', next: AGAIN },
  'documents.status_invalid': { what: 'Über dieses Dokument ist schon entschieden.', next: READ_AGAIN },
  'documents.too_large': { what: 'Die Datei ist zu groß.', next: 'Wählen Sie eine kleinere.' },
  'flows.answer_file_too_large': { what: 'Die Datei ist zu groß.', next: 'Wählen Sie eine kleinere.' },
  'flows.answer_invalid': {
    what: 'Eine Antwort passt nicht zu ihrer Frage.',
    next: 'Sehen Sie sich die markierten Fragen an.',
  },
  'flows.answer_party_invalid': { what: 'Wer teilnimmt, hat sich geändert.', next: READ_AGAIN },
  'flows.answer_party_missing': { what: 'Wer teilnimmt, hat sich geändert.', next: READ_AGAIN },
  'flows.generate_inputs_mismatch': {
    what: 'Die Antworten haben sich geändert, während das Dokument entstand.',
    next: READ_AGAIN,
  },
  'flows.generation_failed': { what: 'Das Dokument konnte nicht erstellt werden.', next: AGAIN },
  'flows.link_not_found': { what: 'Diese Antwort folgt Ihren Daten nicht mehr.', next: READ_AGAIN },
  'flows.next_node_invalid': { what: 'Der nächste Schritt ist ein anderer als erwartet.', next: READ_AGAIN },
  'flows.no_document': { what: 'Es gibt noch kein Dokument.', next: 'Es entsteht, wenn alle geantwortet haben.' },
  'flows.not_generatable': { what: 'Das Dokument kann noch nicht erstellt werden.', next: READ_AGAIN },
  'flows.definition_invalid': { what: 'Das ist falsch zusammengestellt.', next: 'Sagen Sie es der Firma.' },
  'flows.not_your_turn': { what: 'Zuerst ist jemand anderes an der Reihe.', next: 'Sie erfahren, wenn Sie dran sind.' },
  'flows.run_closed': { what: 'Das ist zu Ende.', next: READ_AGAIN },
  'flows.run_not_awaiting': { what: 'Das ist schon beantwortet.', next: READ_AGAIN },
  'flows.run_not_found': { what: 'Das gibt es hier nicht mehr.', next: READ_AGAIN },
  'flows.source_pdf_invalid': { what: 'Ein PDF ist nicht verwendbar.', next: 'Wählen Sie eine andere Datei.' },
  'idempotency.conflict': { what: 'Das wurde schon mit anderem Inhalt gesendet.', next: READ_AGAIN },
  'idempotency.in_progress': { what: 'Das geschieht gerade schon.', next: AGAIN },
  'keys.not_found': { what: 'Ein Schlüssel fehlt, deshalb wurde nichts versiegelt.', next: READ_AGAIN },
  'messages.not_connected': {
    what: 'Sie sind mit diesem Unternehmen nicht mehr verbunden.',
    next: 'Verbinden Sie sich neu, um zu schreiben.',
  },
  'messages.rate_limited': { what: 'Das waren viele Nachrichten in kurzer Zeit.', next: AGAIN },
  'oauth.access_denied': { what: 'Diese Anmeldung wurde abgelehnt.', next: 'Beginnen Sie dort neu, woher Sie kamen.' },
  'oauth.connect_no_service': {
    what: 'Diese App bittet um etwas, das sie nicht haben kann.',
    next: 'Sagen Sie es dem Betreiber der App.',
  },
  'oauth.invalid_request': {
    what: 'Dieser Link ist nicht vollständig.',
    next: 'Beginnen Sie dort neu, woher Sie kamen.',
  },
  'oauth.unauthorized_client': {
    what: 'Diese App darf Sie nicht fragen.',
    next: 'Sagen Sie es dem Betreiber der App.',
  },
  'platform.busy': { what: 'Bei Sealpost ist gerade viel los.', next: AGAIN },
  'platform.internal_error': { what: 'Bei uns ist etwas schiefgegangen.', next: AGAIN },
  'platform.out_of_order': {
    what: 'Sealpost wird gerade repariert.',
    next: 'Versuchen Sie es später. Was Sie gespeichert haben, ist sicher.',
  },
  'profile.company_code_requires_service': {
    what: 'Dieser Code nennt ein Unternehmen, aber keinen seiner Dienste.',
    next: 'Fragen Sie nach dem ganzen Code: Er hat einen Schrägstrich in der Mitte.',
  },
  'profile.keys_exist': { what: 'Dieses Konto hat seine Schlüssel schon.', next: SIGN_IN },
  'plugin.not_found': { what: 'Der Dienst für dieses Feld ist nicht mehr da.', next: 'Sagen Sie es der Firma.' },
  'rate.limited': { what: 'Das waren viele Versuche in kurzer Zeit.', next: AGAIN },
  'rate.unavailable': { what: 'Anmelden ist gerade nicht möglich.', next: AGAIN },
  'region.rebase_required': { what: 'Ihre Daten liegen woanders.', next: SIGN_IN },
  'region.unreachable': { what: 'Die Seite des Unternehmens ist nicht erreichbar.', next: AGAIN },
  'request.invalid': { what: 'Etwas ist nicht so ausgefüllt, wie es sein muss.', next: 'Sehen Sie noch einmal hin.' },
  'request.method_not_allowed': {
    what: 'Diese App ist dafür zu alt.',
    next: 'Schließen Sie sie und öffnen Sie sie neu.',
  },
  'request.not_found': { what: 'Das gibt es hier nicht mehr.', next: READ_AGAIN },
  'request.too_large': { what: 'Das ist zu groß zum Senden.', next: 'Wählen Sie eine kleinere Datei.' },
  'request.unsupported_media_type': {
    what: 'Diese Art von Datei wird nicht angenommen.',
    next: 'Wählen Sie eine andere Datei.',
  },
  'services.audience_b2b_only': {
    what: 'Dieser Dienst ist nur für Unternehmen.',
    next: 'Fragen Sie nach dem Code eines Dienstes für Personen.',
  },
  'services.key_invalid': { what: 'Der Schlüssel wurde nicht angenommen.', next: TELL_US },
  'services.not_found': {
    what: 'Es gibt keinen Dienst mit diesem Code.',
    next: 'Vergleichen Sie ihn Buchstabe für Buchstabe mit dem, den Sie bekommen haben.',
  },
  'services.second_factor_required': {
    what: 'Dieser Dienst will einen zweiten Beweis, dass Sie es sind.',
    next: 'Bestätigen Sie mit diesem Gerät oder melden Sie sich mit einem Einmalcode an.',
  },
  'session.expired': { what: 'Ihre Sitzung ist zu Ende.', next: SIGN_IN },
  'session.invalid': {
    what: 'E-Mail-Adresse, Passwort oder Code stimmen nicht.',
    next: 'Prüfen Sie sie und versuchen Sie es noch einmal.',
  },
  'session.not_found': { what: 'Diese Anmeldung ist schon beendet.', next: 'Es ist nichts mehr zu tun.' },
  'session.otp_required': {
    what: 'Es braucht auch einen Einmalcode.',
    next: 'Tippen Sie den Code ein, den Ihre Authenticator-App zeigt.',
  },
  'twofa.challenge_closed': {
    what: 'Diese Anfrage ist zu Ende.',
    next: 'Wenn Sie sich dort noch anmelden wollen, beginnen Sie neu.',
  },
  'twofa.challenge_not_found': {
    what: 'Diese Anfrage gibt es nicht mehr.',
    next: 'Wenn Sie sich dort noch anmelden wollen, beginnen Sie neu.',
  },
  'twofa.digits_mismatch': {
    what: 'Das ist nicht die Zahl auf dem anderen Bildschirm.',
    next: 'Vergleichen Sie die zwei Ziffern. Wenn Sie keine sehen, lehnen Sie ab.',
  },
  'twofa.enrollment_not_found': { what: 'Dieses Unternehmen fragt Sie nicht mehr.', next: READ_AGAIN },
  'twofa.unavailable': { what: 'Die Seite des Unternehmens ist nicht erreichbar.', next: AGAIN },
}
