import type { ErrorTexts } from '@sealpost/ui'
import type { Words } from '../en/index.ts'

export const flows: Words['flows'] = {
  title: 'Formulare',
  run: 'Formular',
  waiting: (forms) =>
    forms === 0
      ? 'Nichts wartet auf Sie.'
      : forms === 1
        ? 'Ein Formular wartet auf Sie.'
        : `${forms} Formulare warten auf Sie.`,
  empty: 'Es gibt noch kein Formular. Ein Unternehmen, mit dem Sie verbunden sind, kann eines beginnen.',
  groups: { yours: 'Wartet auf Sie', others: 'Wartet auf andere', over: 'Vorbei' },
  named: (company, step) => `${company}: ${step}`,
  at: (one, other) => `${one} · ${other}`,
  you: 'Sie',
  states: {
    your_turn: 'Sie sind an der Reihe',
    make: 'Ihre Dokumente können erstellt werden',
    completed: 'Abgeschlossen',
    their_turn: (who) => `${who} antwortet gerade`,
    making: (who) => `${who} lässt die Dokumente erstellen`,
    signing: (who) => `${who} unterschreibt gerade`,
    sign: (name) => `Unterschreiben: ${name}`,
    accept: (name) => `Annehmen: ${name}`,
    cancelled: 'Vorzeitig beendet',
  },
  leads: {
    your_turn: 'Sie sind an der Reihe. Was Sie ausfüllen, bleibt auf diesem Gerät, bis Sie es senden.',
    make: 'Sie haben zuletzt geantwortet, also lässt dieses Gerät die Dokumente erstellen. Dafür liest Sealpost die Antworten einmal.',
    completed: 'Das ist abgeschlossen. Es ist nichts mehr zu tun.',
    their_turn: (who) => `${who} antwortet gerade. Sie erfahren, wenn Sie an der Reihe sind.`,
    making: (who) =>
      `${who} hat zuletzt geantwortet und lässt die Dokumente erstellen. Sie erfahren, wenn Sie unterschreiben können.`,
    signing: (who) => `Jetzt unterschreibt ${who}. Sie erfahren, wenn Sie an der Reihe sind.`,
    sign: (name) => `Es ist an Ihnen, „${name}“ zu unterschreiben.`,
    accept: (name) => `Es ist an Ihnen, „${name}“ anzunehmen.`,
    cancelled: 'Das wurde vorzeitig beendet. Es ist nichts mehr zu tun.',
    cancelledBy: (who) => `${who} hat das vorzeitig beendet. Es ist nichts mehr zu tun.`,
    cancelledByYou: 'Sie haben das vorzeitig beendet. Es ist nichts mehr zu tun.',
  },
  reason: 'Der genannte Grund',
  begin: 'Ausfüllen',
  sign: 'Lesen und unterschreiben',
  accept: 'Lesen und annehmen',
  make: 'Dokumente erstellen',
  making: 'Dokumente werden erstellt …',
  answers: 'Was geantwortet wurde',
  optional: '(freiwillig)',
  nothing: 'Nichts',
  turn: {
    title: 'Sie sind an der Reihe',
    above: (company, service, place) =>
      place === 1 ? `${company} · ${service}` : `${company} · ${service} · Ihr Schritt ${place}`,
    readers: (names, makesDocuments) => {
      const who = new Intl.ListFormat('de').format(names)
      const platform = makesDocuments
        ? 'Sealpost sieht sie einmal, während die Dokumente erstellt werden.'
        : 'Sealpost kann es nicht.'
      return `Sie und ${who} können alle Antworten öffnen. ${platform}`
    },
    toRun: 'Was bisher geschah',
    goOn: 'Weiter',
    sendTitle: 'Ihre Antworten senden',
    send: 'Versiegeln und senden',
    sending: 'Wird versiegelt und gesendet …',
    kept: 'Bis dahin liegt es versiegelt auf diesem Gerät. Sie können die App schließen und später weitermachen.',
    thenYou: 'Diese Antworten werden gesendet, bevor der nächste Schritt aufgeht. Danach lassen sie sich nicht ändern.',
    thenOther: (who) => `Danach macht ${who} weiter. Die Antworten lassen sich dann nicht mehr ändern.`,
    thenDone: 'Damit ist das Formular abgeschlossen. Die Antworten lassen sich dann nicht mehr ändern.',
    thenDocuments: 'Danach werden aus den Antworten die Dokumente erstellt, und alle unterschreiben der Reihe nach.',
    stuck: 'Das Formular sagt nicht, wie es von hier aus weitergeht. Sagen Sie es dem Unternehmen.',
  },
  computed: { title: 'Aus Ihren Antworten berechnet', pending: 'Ergibt sich aus Ihren Antworten' },
  bounds: {
    between: (min, max) => `Von ${min} bis ${max}.`,
    least: (min) => `Mindestens ${min}.`,
    most: (max) => `Höchstens ${max}.`,
  },
  linked: {
    suggest: 'Aus Ihren Daten',
    use: (label, value) => `${label}: ${value}`,
    from: (label) => `Aus Ihren Daten: ${label}`,
    live: (company) => `Jede spätere Änderung erreicht auch ${company}.`,
    copy: 'Eine Kopie, so wie es beim Senden ist.',
    unlink: 'Etwas anderes antworten',
    verified: 'Bestätigt',
    private: 'Privat',
    choose: 'Aus Ihren Daten wählen',
    mustBeVerified: 'Muss bestätigt sein',
    none: 'Das wird aus „Meine Daten“ beantwortet. Füllen Sie es zuerst dort aus und kommen Sie dann zurück.',
    noneVerified:
      'Das wird mit einem bestätigten Wert aus „Meine Daten“ beantwortet. Bestätigen Sie dort einen und kommen Sie dann zurück.',
    toData: 'Zu meinen Daten',
  },
  files: {
    sealed: 'Sie wird auf diesem Gerät versiegelt, bevor sie gesendet wird.',
    chosen: 'Gewählte Dateien',
    remove: 'Herausnehmen',
    open: 'Öffnen',
  },
  plugin: {
    by: (name, host) => `${name} (${host})`,
    asking: (name) => `${name} rechnet …`,
    notANumber: 'Schreiben Sie eine Zahl wie 12.5.',
    first: (labels) => `Wählen Sie zuerst: ${labels}.`,
    picksInvalid: 'Ihre Auswahl passt nicht mehr zu Ihren Antworten. Wählen Sie noch einmal.',
    silent: 'Der Server, der das beantwortet, meldet sich nicht. Ihre Angaben bleiben; versuchen Sie es später.',
    newKey: {
      title: 'Ein neuer Schlüssel',
      about: (name, host) =>
        `${name} (${host}) hat einen anderen Schlüssel, als dieses Gerät kennt, und der bekannte bürgt nicht für ihn. Wer den neuen Schlüssel hat, liest Ihre Auswahl hier und die Antworten, die diese Frage verwendet. Fragen Sie das Unternehmen auf einem anderen Weg als dieser App nach dem Fingerabdruck des neuen Schlüssels, und bestätigen Sie nur, wenn er derselbe ist.`,
      known: 'Bisher bekannt',
      received: 'Neu',
      confirm: 'Ich habe ihn verglichen: den neuen Schlüssel verwenden',
      confirming: 'Wird bestätigt …',
    },
    inputs: {
      unwired: (label) => `${label}: Das Formular sagt nicht, woher das kommt. Sagen Sie es dem Unternehmen.`,
      unanswered: (label) => `Beantworten Sie zuerst: ${label}.`,
      other_party_private: (label) => `${label} ist für jemand anderen privat und kann hier nicht verwendet werden.`,
      not_convertible: (label) => `${label} passt hier nicht. Prüfen Sie Ihre Antwort.`,
    },
  },
  problems: {
    missing: 'Das wird gebraucht.',
    option_closed: 'Das steht nicht mehr zur Wahl. Wählen Sie etwas anderes.',
    below_min: 'Das ist zu wenig.',
    above_max: 'Das ist zu viel.',
    type_not_accepted: 'Dieser Wert Ihrer Daten ist von anderer Art. Wählen Sie einen anderen.',
    value_invalid: 'Das passt hier nicht.',
    link_required: 'Wählen Sie einen Wert aus Ihren Daten.',
    link_not_allowed: 'Schreiben Sie das selbst.',
    verification_required: 'Dieser Wert wurde nicht bestätigt oder vor zu langer Zeit.',
    picks_invalid: 'Das passt nicht mehr zu Ihren Antworten. Wählen Sie noch einmal.',
  },
  line: {
    title: 'Wer unterschreibt',
    between: ' · ',
    open: { sign: 'unterschreibt jetzt', accept: 'nimmt jetzt an' },
    done: { sign: 'unterschrieben', accept: 'angenommen' },
    doneAt: { sign: (when) => `unterschrieben ${when}`, accept: (when) => `angenommen ${when}` },
    waiting: 'kommt später',
    ended: 'nicht mehr nötig',
  },
  end: {
    open: 'Dieses Formular beenden',
    title: 'Dieses Formular beenden?',
    whatFollows: 'Was dann geschieht',
    follows: [
      'Es endet für alle Beteiligten. Es lässt sich nicht wieder öffnen.',
      'Was Sie nicht gesendet haben, wird von diesem Gerät gelöscht.',
      'Gesendete Antworten bleiben für alle Beteiligten lesbar.',
      'Dokumente, die nicht alle unterschrieben haben, werden nicht gültig.',
    ],
    reason: 'Grund',
    reasonHint: 'Alle Beteiligten lesen ihn, und auch Sealpost kann es.',
    act: 'Für alle beenden',
    busy: 'Wird beendet …',
    keep: 'Behalten',
  },
}

export const flowRefusals: ErrorTexts = {
  flow_answer_unreadable: {
    what: 'Eine frühere Antwort lässt sich nicht öffnen. Deshalb ist nicht klar, wie es weitergeht.',
    next: 'Sagen Sie es dem Unternehmen.',
  },
  flow_answered_already: {
    what: 'Das wurde schon beantwortet, hier oder auf einem anderen Ihrer Geräte.',
    next: 'Jetzt wurde nichts gesendet. Sehen Sie nach, was bisher geschah.',
  },
  flow_answers_invalid: {
    what: 'Etwas ist nicht so ausgefüllt, wie es sein soll.',
    next: 'Sehen Sie sich die markierten Fragen an.',
  },
  flow_definition_unreadable: {
    what: 'Diese App ist zu alt für das Formular.',
    next: 'Schließen Sie sie und öffnen Sie sie neu.',
  },
  flow_key_missing: {
    what: 'Jemand, der beteiligt ist, hat kein Konto mehr.',
    next: 'Sagen Sie es dem Unternehmen.',
  },
  flow_no_next_step: {
    what: 'Das Formular sagt nicht, wie es von hier aus weitergeht.',
    next: 'Sagen Sie es dem Unternehmen.',
  },
  flow_not_awaiting: { what: 'Hier ist jetzt nichts auszufüllen.', next: 'Sehen Sie nach, was bisher geschah.' },
  flow_not_generating: {
    what: 'Es sind keine Dokumente zu erstellen.',
    next: 'Sehen Sie nach, was bisher geschah.',
  },
  flow_not_open: {
    what: 'Das Formular wurde inzwischen geschlossen.',
    next: 'Öffnen Sie es wieder; Ihre Angaben sind noch da.',
  },
  flow_not_the_generator: {
    what: 'Jemand anderes lässt diese Dokumente erstellen.',
    next: 'Sie erfahren, wenn Sie unterschreiben können.',
  },
  flow_not_your_turn: { what: 'Sie sind nicht an der Reihe.', next: 'Sie erfahren, wenn Sie es sind.' },
  flow_run_changed: {
    what: 'Das Formular ist nicht das, das Sie ausgefüllt haben: Seine Fragen oder die Beteiligten sind andere.',
    next: 'Es wurde nichts gesendet. Öffnen Sie es noch einmal und vergleichen Sie; bleibt es so, sagen Sie es dem Unternehmen.',
  },
  plugin_inputs_missing: {
    what: 'Das lässt sich noch nicht beantworten.',
    next: 'Beantworten Sie die Fragen davor.',
  },
  plugin_not_responding: {
    what: 'Der Server, der das beantwortet, meldet sich nicht.',
    next: 'Ihre Angaben bleiben; versuchen Sie es später.',
  },
  plugin_key_changed: {
    what: 'Der Server, der das beantwortet, hat einen Schlüssel, den dieses Gerät nicht kennt. Deshalb wurde nichts gesendet.',
    next: 'Öffnen Sie das Formular noch einmal: Es zeigt beide Schlüssel, um sie mit der Angabe des Unternehmens zu vergleichen.',
  },
  plugin_key_not_offered: {
    what: 'Der Schlüssel ist wieder ein anderer.',
    next: 'Öffnen Sie das Formular noch einmal und vergleichen Sie ihn.',
  },
  plugin_question_too_large: { what: 'Was Sie geschrieben haben, ist dafür zu lang.', next: 'Kürzen Sie es.' },
  plugin_reply_invalid: {
    what: 'Der Server, der das beantwortet, hat etwas Unbrauchbares gesendet.',
    next: 'Sagen Sie es dem Unternehmen.',
  },
}
