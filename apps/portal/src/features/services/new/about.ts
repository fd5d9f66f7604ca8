import type { NewServiceWish } from '../../../worker/commands/new-service.ts'

/** What is said of a service before it exists. */
export type About = Pick<NewServiceWish, 'name' | 'adminEmail' | 'audience' | 'shareCode'>

interface ProblemWords {
  readonly nameProblem: string
  readonly shareCodeProblem: string
  readonly adminEmailProblem: string
}

type Problems = { readonly [Name in 'name' | 'shareCode' | 'adminEmail']?: string | undefined }

export function problemsOf(words: ProblemWords, { name, shareCode, adminEmail }: About): Problems {
  return {
    name: name.trim() === '' ? words.nameProblem : undefined,
    shareCode: /^[A-Z0-9]{0,8}$/.test(shareCode) ? undefined : words.shareCodeProblem,
    adminEmail: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(adminEmail.trim()) ? undefined : words.adminEmailProblem,
  }
}

export function audienceOf(value: string): About['audience'] {
  return value === 'person' || value === 'company' ? value : 'both'
}
