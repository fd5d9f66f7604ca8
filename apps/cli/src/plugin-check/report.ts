/** What one check found. */
export interface Finding {
  /** Stable, for scripts: `call.wrong_key`. */
  readonly check: CheckName
  readonly level: 'passed' | 'warning' | 'failed'
  /** The field type and block, or empty. */
  readonly subject: string
  readonly happened: string
  /** Empty for a check that passed. */
  readonly remedy: string
}

/** Every check with what it shows when it passes. */
export const checkNames = {
  'address.form': 'the address can be registered',
  'manifest.answer': 'GET /manifest is answered 200',
  'manifest.size': 'the manifest has at most 256 KiB',
  'manifest.rules': 'the manifest follows the rules',
  'manifest.rollovers': 'former keys vouch for the present one',
  'manifest.time': 'the manifest arrives within a second',
  'token.required': 'requests without the token, or with another one, are refused',
  'call.wrong_key': 'a question for another key is answered 409 key_unknown',
  'call.malformed': 'requests that are no question are refused with 4xx',
  'call.large': 'a question of almost 64 KiB with unknown members is answered',
  'call.too_large': 'a request above 64 KiB is refused, and the next one answered',
  'call.parallel': 'eight questions at the same time are answered',
  'call.time': 'answers arrive within 3 seconds',
  'call.redirect': 'no answer is a redirect',
  'reply.sealed': 'replies are wrappers that open with the reply key of their question',
  'reply.fresh': 'each reply is sealed with a key of its own',
  'reply.only': 'the answer of a call holds the sealed reply and nothing else',
  'reply.size': 'replies have at most 64 KiB',
  'options.shape': 'options have the form of the protocol',
  'options.query': 'a query narrows the options',
  'options.depends': 'options follow the picks before them',
  'outputs.shape': 'outputs have their declared types',
  'outputs.picks_invalid': 'picks that do not exist or do not fit are answered picks_invalid',
} as const

export type CheckName = keyof typeof checkNames

/** Collects findings; a check that found nothing has passed. */
export class Report {
  readonly #findings: Finding[] = []
  readonly #begun: { readonly check: CheckName; readonly subject: string }[] = []

  /** The check is made for this subject. */
  begin(check: CheckName, subject = ''): void {
    if (this.#begun.some((one) => one.check === check && one.subject === subject)) return
    this.#begun.push({ check, subject })
  }

  fail(check: CheckName, happened: string, remedy: string, subject = ''): void {
    this.#add({ check, level: 'failed', subject, happened, remedy })
  }

  warn(check: CheckName, happened: string, remedy: string, subject = ''): void {
    this.#add({ check, level: 'warning', subject, happened, remedy })
  }

  findings(): readonly Finding[] {
    const passed = this.#begun
      .filter(({ check, subject }) => !this.#findings.some((one) => one.check === check && one.subject === subject))
      .map(({ check, subject }): Finding => {
        return { check, level: 'passed', subject, happened: checkNames[check], remedy: '' }
      })
    const order = Object.keys(checkNames)
    return [...passed, ...this.#findings].toSorted((a, b) => order.indexOf(a.check) - order.indexOf(b.check))
  }

  #add(finding: Finding): void {
    const { check, subject, happened } = finding
    this.begin(check, subject)
    if (this.#findings.some((one) => one.check === check && one.subject === subject && one.happened === happened))
      return
    this.#findings.push(finding)
  }
}
