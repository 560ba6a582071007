// What the service says in English of its resources, members and options, in German. What is not listed is shown as the
// service says it. Apart from the labels, since pages before signing in need none of it.

import { useLanguage } from './language.ts'

const germanSentences: Readonly<Record<string, string>> = {
  // resources
  'Mails on their way, sent and given up.': 'Mails auf dem Weg, gesendete und aufgegebene.',
  'How to reach a user.': 'Wie eine Person zu erreichen ist.',
  'What only a user and those who run the site need to know.':
    'Was nur die Person selbst und die Betreiber wissen müssen.',
  'What users may be trusted with, by name.': 'Was Personen anvertraut wird, nach Namen.',
  'People who use the service.': 'Leute, die den Dienst benutzen.',
  'Whether a user may sign in, and what became of it.': 'Ob eine Person sich anmelden darf, und was daraus wurde.',
  'Registration codes that were made together.': 'Registriercodes, die zusammen entstanden.',
  'Codes, each of which lets one person register.': 'Codes, mit denen sich je eine Person registrieren kann.',
  'Keys by which programs act for a user, within limits.':
    'Schlüssel, mit denen Programme für eine Person handeln, in Grenzen.',
  'The continents, by their two-letter codes.': 'Die Kontinente, nach Kürzeln aus zwei Buchstaben.',
  'Countries and territories, by their ISO 3166 codes of two letters.':
    'Länder und Gebiete, nach ihren zwei Buchstaben aus ISO 3166.',
  'Cities, towns and villages.': 'Städte und Dörfer.',
  'Postal codes and the localities that they serve.': 'Postleitzahlen und ihre Orte.',
  'Hosts whose pages may use the service from other origins.':
    'Hosts, deren Seiten den Dienst von anderswo benutzen dürfen.',
  'Programs by which people reach the service, as they call themselves.':
    'Programme, mit denen Leute den Dienst erreichen, wie sie sich selbst nennen.',
  'What went wrong inside the service, each kind of failure once.': 'Was im Dienst schiefging, jede Art einmal.',
  'Every error, of clients and of the service.': 'Alle Fehler, die der Clients und die des Dienstes.',
  'Errors that clients report.': 'Fehler, die Clients melden.',
  'Requests that the service failed to answer.': 'Anfragen, an denen der Dienst scheiterte.',
  'Who is whose friend, asks to be, or wants nothing to do with them.':
    'Wer mit wem befreundet ist, es sein möchte oder nichts davon wissen will.',
  'Open realtime connections. To delete one disconnects it.':
    'Offene Echtzeit-Verbindungen. Wer eine löscht, trennt sie.',
  'How the price of renting a film comes about.': 'Wie der Preis einer Ausleihe entsteht.',
  'People who play in films.': 'Leute, die in Filmen spielen.',
  'Kinds of films, each within a wider one.': 'Arten von Filmen, jede in einer weiteren.',
  'Titles that the store rents out.': 'Titel, die der Laden verleiht.',
  'The physical copies of films.': 'Die einzelnen Exemplare der Filme.',
  'Who had which copy, from when to when, and at which price.':
    'Wer welches Exemplar hatte, von wann bis wann und zu welchem Preis.',
  'What was charged, paid back or waived. Payments are only ever added: a mistake is undone by another one.':
    'Was berechnet, erstattet oder erlassen wurde. Zahlungen kommen nur hinzu: Ein Fehler wird durch eine weitere behoben.',
  'Users as customers of the store.': 'Personen als Kundschaft des Ladens.',
  'Memberships in business networks, as the nodes of this service know them.':
    'Mitgliedschaften in Geschäftsnetzen, wie die Knoten dieses Dienstes sie kennen.',
  // members
  'How many realtime connections are open; 0 means offline.': 'Anzahl der offenen Live-Verbindungen; 0 heißt offline.',
  'Does somebody wait for it?': 'Wartet jemand darauf?',
  'Until then nobody tries to send it; empty when done.': 'Bis dahin wird nicht gesendet; leer, wenn erledigt.',
  'The name to sign in with. The own one is changed in the account, with the password.':
    'Der Name zum Anmelden. Den eigenen ändert man in seinem Konto, mit dem Passwort.',
  'Failures since the last success.': 'Fehlschläge seit der letzten Anmeldung.',
  'Is a second factor asked for?': 'Wird ein zweiter Faktor verlangt?',
  'A new password; ends the sessions, API keys and sign-ins at other services of the user.':
    'Ein neues Passwort; es beendet die Sitzungen, API-Schlüssel und Anmeldungen bei anderen Diensten der Person.',
  'How many codes are made.': 'Wie viele Codes entstehen.',
  'How many were not used yet.': 'Wie viele noch unbenutzt sind.',
  'From then on the codes are refused.': 'Von da an gelten die Codes nicht mehr.',
  'Has nobody used it yet?': 'Noch unbenutzt?',
  'What it is good for: `read`, `write`, or one of them for a resource, `films:read`.':
    'Wofür er gilt: `read`, `write`, oder eines davon für eine Art von Datensatz, `films:read`.',
  'Changes nothing, whatever its scopes.': 'Ändert nichts, was immer sein Umfang ist.',
  'The part of the key that is no secret.': 'Der Teil des Schlüssels, der nicht geheim ist.',
  'The key itself, shown when it is made and never again.': 'Der Schlüssel selbst; er wird nur beim Anlegen gezeigt.',
  "The names from the root down to this record, joined by ': '.":
    'Die Namen von ganz oben bis zu diesem Datensatz, durch „: “ verbunden.',
  'How many records stand above this one.': 'Wie viele Datensätze über diesem stehen.',
  'ISO 4217 codes, separated by commas.': 'Kürzel aus ISO 4217, durch Kommas getrennt.',
  'ISO 639 codes.': 'Kürzel aus ISO 639.',
  'Further names of the same host.': 'Weitere Namen desselben Hosts.',
  'How often it has happened.': 'Wie oft es geschah.',
  'What the client was about when it happened.': 'Womit der Client gerade beschäftigt war.',
  'The path alone: a query may hold what is nobody else’s business.':
    'Nur der Pfad: In der Abfrage kann stehen, was niemanden sonst angeht.',
  'Which instance of the service holds it.': 'Welche Instanz des Dienstes sie hält.',
  'The price to rent a film.': 'Der Preis einer Ausleihe.',
  'How many days the initial price includes.': 'Wie viele Tage der Grundpreis enthält.',
  'The price of each further day, early or late.': 'Der Preis jedes weiteren Tages, vereinbart oder verspätet.',
  'What a rental earns the customer.': 'Was eine Ausleihe einbringt.',
  'Charged for a copy that is lost or damaged.': 'Für ein verlorenes oder beschädigtes Exemplar.',
  'Only good copies are rented.': 'Nur gute Exemplare werden verliehen.',
  'The present moment unless given.': 'Jetzt, wenn nichts angegeben ist.',
  'How many days were paid.': 'Wie viele Tage bezahlt sind.',
  'When it came back; null while it is out.': 'Wann es zurückkam; leer, solange es verliehen ist.',
  'Undone at the counter.': 'An der Theke storniert.',
  'What was corrected afterwards, and by whom.': 'Was nachträglich berichtigt wurde, und von wem.',
  'Negative when it goes to the customer.': 'Negativ, wenn es an die Kundschaft geht.',
  'The part for a lost or damaged copy.': 'Der Teil für ein verlorenes oder beschädigtes Exemplar.',
  'The days that the amount is for.': 'Die Tage, für die der Betrag gilt.',
  'Who is charged.': 'Wem es berechnet wird.',
  'Who stood at the counter.': 'Wer an der Theke stand.',
  'Charged by staff to themselves.': 'Vom Personal sich selbst berechnet.',
  'Not paid at the counter but owed, part of the balance of the client.':
    'Nicht an der Theke bezahlt, sondern geschuldet: Teil des Saldos.',
  'The first payment of the same submission.': 'Die erste Zahlung desselben Vorgangs.',
  'What the client owes.': 'Was geschuldet wird.',
  'The configured name of the node that keeps this.': 'Der eingestellte Name des Knotens, der dies führt.',
  'How many states the operator has issued.': 'Wie viele Stände der Betreiber ausgestellt hat.',
  "The place of the present state in the operator's history.":
    'Der Platz des jetzigen Standes im Verlauf des Betreibers.',
  'Has the person shown that it is theirs?': 'Ist bestätigt, dass sie dieser Person gehört?',
}

const germanOptions: Readonly<Record<string, string>> = {
  confirmation: 'Bestätigung',
  addressChange: 'Adressänderung',
  passwordReset: 'Neues Passwort',
  alreadyRegistered: 'Schon registriert',
  invitation: 'Einladung',
  waiting: 'wartet',
  sent: 'gesendet',
  failed: 'aufgegeben',
  client: 'Client',
  system: 'Dienst',
  SENT: 'gefragt',
  PENDING: 'beantragt',
  CONFIRMED: 'bestätigt',
  BLOCK: 'blockiert',
  BLOCK_INVERSE: 'von dort blockiert',
  ACTIVE: 'aktiv',
  SUSPENDED: 'ausgesetzt',
  DECLINED: 'abgelehnt',
  REVOKED: 'entzogen',
  unrated: 'ohne Freigabe',
  good: 'gut',
  damaged: 'beschädigt',
  lost: 'verloren',
  retired: 'ausgemustert',
  adjustment: 'Anpassung',
  rental: 'Ausleihe',
  return: 'Rückgabe',
  waiver: 'Erlass',
  void: 'Storno',
  settlement: 'Schulden bezahlt',
}

const useGerman = (words: Readonly<Record<string, string>>): ((english: string) => string) => {
  const language = useLanguage()
  return english => (language === 'de' ? words[english] : undefined) ?? english
}

export const useDescription = () => useGerman(germanSentences)

/** For one of the values that the service offers; it is sent as it is. */
export const useOption = () => useGerman(germanOptions)
