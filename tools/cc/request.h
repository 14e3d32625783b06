/* SPDX-License-Identifier: ISC */
/* request.h - the request of heddle-cc's command line: is this a link, and can it be tested? */
#ifndef CC_REQUEST_H
#define CC_REQUEST_H

#include "arch/ports.h"
#include "cc/words.h"

/* The request of the command line. */
struct request {
	bool cxx;    /* called as heddle-c++ */
	bool stops;  /* stops before linking: -c, -S, -E, ... */
	bool inputs; /* there are files to compile or link */
	bool other_than_headers;
	bool shared;	   /* -shared, -r: the runtime comes with the executable */
	bool no_undefined; /* -Wl,--no-undefined, -Wl,-z,defs */
	bool bare;	   /* -nostdlib and the like */
	const char *is_static, *lto, *tsan, *sanitizer, *m32, *intel; /* the option for it */
	const struct arch_port *port;		  /* of --target=; NULL: there is none */
	const char *musl;			  /* one of that C library; NULL */
	const char *language;			  /* of the last -x */
	bool verbose;
	const char *runtime; /* --heddle-runtime= */
	bool gcc;	     /* --gcc */
	const char *plugin;  /* the plugin for gcc; NULL: -fsanitize=thread */
	bool deps;	     /* --deps */
	bool recorder;	     /* --recorder */
	bool pipe;	     /* -pipe */
};

/* Read the words, of which heddle-cc's own options have been removed. */
void request_read(struct request *r, const struct words *w);

bool request_is_link(const struct request *r);

/* Die if an option is not supported. */
void request_refuse(const struct request *r);

#endif
