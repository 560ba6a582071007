// Why a mail server did not take a mail. Codes and words of this file only: messages of servers may repeat an address or parts of a mail.

/** The reason, in codes and words, and what to do about it. */
export interface SmtpFailure {
  readonly reason: string
  /** Is null when nothing better is known than the settings. */
  readonly remedy: string | null
}

interface SmtpError {
  readonly code?: unknown
  /** The code of Node or OpenSSL, where the mailer has one of its own. */
  readonly originalCode?: unknown
  readonly responseCode?: unknown
}

const smtpErrorOf = (error: unknown): SmtpError => (typeof error === 'object' && error !== null ? error : {})

const isUntrusted = 'the certificate is not trusted'
const otherAuthority = 'it is signed by an authority that is unknown here'

/** Words for the codes of OpenSSL. */
const certificateFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `${isUntrusted}: self-signed certificate`,
  SELF_SIGNED_CERT_IN_CHAIN: `${isUntrusted}: ${otherAuthority}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${isUntrusted}: ${otherAuthority}`,
  UNABLE_TO_GET_ISSUER_CERT: `${isUntrusted}: ${otherAuthority}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${isUntrusted}: ${otherAuthority}`,
}

const trust = 'Name the file of its authority in NODE_EXTRA_CA_CERTS, or change app.mail.security.'

/** Reasons and remedies for the codes of Node, OpenSSL and the mailer. */
const faults: Readonly<Record<string, SmtpFailure>> = {
  ...Object.fromEntries(Object.entries(certificateFaults).map(([code, reason]) => [code, { reason, remedy: trust }])),
  CERT_HAS_EXPIRED: { reason: 'the certificate has expired', remedy: 'Renew the certificate of the mail server.' },
  CERT_NOT_YET_VALID: { reason: 'the certificate is not valid yet', remedy: 'Check the clocks of both machines.' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'the certificate is for another name',
    remedy: 'Set app.mail.host to a name in the certificate.',
  },
  ETLS: {
    reason: 'the connection cannot be encrypted',
    remedy: 'Check that the server offers STARTTLS at this port, or change app.mail.security.',
  },
  EAUTH: { reason: 'the login is refused', remedy: 'Check app.mail.username and app.mail.password.' },
}

const isCode = (part: unknown): boolean => part !== undefined && /^[A-Z0-9_]{1,60}$/.test(`${part}`)

/** The failure of a connection, a sign-in or a mail. */
export const toSmtpFailure = (error: unknown): SmtpFailure => {
  const { code, originalCode, responseCode } = smtpErrorOf(error)
  const known = faults[`${originalCode}`] ?? faults[`${code}`]
  const others = known ? [code, responseCode] : [code, originalCode, responseCode]
  const codes = others.filter(isCode).join(' ') || 'failed'
  return known ? { reason: `${codes}: ${known.reason}`, remedy: known.remedy } : { reason: codes, remedy: null }
}

/** The server refuses this recipient or message (RFC 5321, 4.2.1: 5yz). A wrong password can be corrected. */
export const isPermanentFailure = (error: unknown): boolean => {
  const { code, responseCode } = smtpErrorOf(error)
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= 500
}
