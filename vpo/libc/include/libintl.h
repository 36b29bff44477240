#ifndef _LIBINTL_H
#define _LIBINTL_H
/* Messages of the C locale are those of the source. */
#define gettext(text) ((char *)(text))
#define dgettext(domain, text) ((void)(domain), (char *)(text))
#define dcgettext(domain, text, category) ((void)(domain), (void)(category), (char *)(text))
#define dcngettext(domain, one, many, count, category) ((void)(domain), (void)(category), ngettext(one, many, count))
#define ngettext(one, many, count) ((char *)((count) == 1 ? (one) : (many)))
#define dngettext(domain, one, many, count) ((void)(domain), ngettext(one, many, count))
#define textdomain(domain) ((char *)(domain))
#define bindtextdomain(domain, folder) ((void)(domain), (char *)(folder))
#define bind_textdomain_codeset(domain, codeset) ((void)(domain), (char *)(codeset))
#endif
