import type { Template } from './message.ts'

export interface Invitation {
  readonly name: string
  readonly inviter: string
  readonly email: string
}

const greeting = (word: string, name: string): string => (name ? `${word} ${name},` : `${word},`)

/** To someone whom a user wants to have here. */
export const invitation: Template<Invitation> = {
  en: ({ name, inviter, email }, pages) => ({
    subject: `${inviter} invites you`,
    greeting: greeting('Hello', name),
    paragraphs: [`${inviter} would like to have you here and invites you to register.`],
    action: { label: 'Register', href: pages('register', { email }) },
    note: 'If you do not know the sender, simply ignore this mail; you will not be reminded.',
  }),
  de: ({ name, inviter, email }, pages) => ({
    subject: `${inviter} lädt Sie ein`,
    greeting: greeting('Guten Tag', name),
    paragraphs: [`${inviter} möchte Sie hier dabeihaben und lädt Sie ein, sich zu registrieren.`],
    action: { label: 'Registrieren', href: pages('register', { email }) },
    note: 'Wenn Sie den Absender nicht kennen, beachten Sie diese Nachricht einfach nicht; Sie werden nicht erinnert.',
  }),
}
